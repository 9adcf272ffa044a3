// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { resendMail } from '#app/outbox/failed-mail.server.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { type SmtpBehaviour, startSmtpServer } from '#scripts/support/smtp-server.ts';
import { openDatabase } from '#server/database.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, keepDoing, type Message, sendMessage, takeForms } from '#tests/support/visitors.ts';

const count = times(60, 300);
const answerSeconds = 1;
/** Out of a hundred messages; it takes the others. */
const badly: [SmtpBehaviour, number][] = [
  ['defer', 17],
  ['refuse', 3],
  ['drop', 10],
  ['take-silently', 5],
  [{ takeAfterMs: 700 }, 6],
  [{ takeAfterMs: answerSeconds * 1000 + 1500 }, 4],
  ['hang', 5],
];

test(`through a mail server that misbehaves half the time ${count * 2} emails arrive, and attempts without an answer explain each second copy`, async () => {
  const treated = new Map<string, number>();
  const dice = badly.flatMap(([behaviour, share]) => Array<SmtpBehaviour>(share).fill(behaviour));
  let thrown = 0;
  const smtp = await startSmtpServer({
    onMessage({ messageId }) {
      const before = treated.get(messageId) ?? 0;
      // 37 and 100 have no common divisor: each hundred messages meet every side once. After four no more, or waiting
      // for the next attempt would take hours.
      const behaviour = (before < 4 ? dice[(thrown++ * 37) % 100] : undefined) ?? 'take';
      if (behaviour !== 'take') treated.set(messageId, before + 1);
      return behaviour;
    },
  });
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  const { db } = database;
  const SMTP_URL = `smtp://127.0.0.1:${smtp.port}?timeout=${answerSeconds}`;
  const program = await startProgram({ ...behindProxy, DATA_DIR: data.folder, SMTP_URL });

  const forms = await takeForms(program.url, count);
  const messages: Message[] = [];
  const writing = keepDoing(6, async () => {
    const form = forms.pop();
    if (form) messages.push(await sendMessage(program.url, form));
  });
  const undelivered = () => db.selectFrom('mails').select(['id', 'state']).where('state', '<>', 'sent').execute();
  let sentAgain = 0;
  do {
    await sleep(2000);
    // Staff send again what the server refused for good. Emails about messages have no private links.
    for (const { id, state } of await undelivered()) {
      if (state !== 'failed') continue;
      const again = db.transaction().execute((trx) => resendMail(trx, id, new Date(), { lead: async () => true }));
      if ((await again).ok) sentAgain++;
    }
  } while (messages.length < count || (await undelivered()).length > 0);
  await writing.stop();
  await program.end('SIGTERM');

  const mails = await db.selectFrom('mails').select(['id', 'state', 'message_id']).execute();
  const attempts = await db.selectFrom('mail_attempts').select(['mail_id', 'outcome']).execute();
  await database.close();
  await smtp.close();
  data.remove();
  const copiesOf = (id: string | null) => smtp.taken.filter(({ messageId }) => messageId === id).length;
  const withoutAnswer = (id: string) =>
    attempts.filter(({ mail_id, outcome }) => mail_id === id && (outcome ?? 'unknown') === 'unknown').length;
  console.log(
    `${mails.length} emails in ${attempts.length} attempts, ${smtp.taken.length} copies arrived, ${sentAgain} sent again by staff`,
  );
  expect(messages.filter(({ isTold }) => !isTold)).toEqual([]);
  expect(mails.map(({ state }) => state)).toEqual(Array(count * 2).fill('sent'));
  expect(mails.filter(({ message_id }) => copiesOf(message_id) === 0)).toEqual([]);
  expect(mails.filter(({ id, message_id }) => copiesOf(message_id) > 1 + withoutAnswer(id))).toEqual([]);
});
