// @module-tag torture
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { bossOn, queues } from '#app/outbox/queue.server.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { startSmtpServer } from '#scripts/support/smtp-server.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';

test('P26, P49: killed while a mail server holds its mail, the program delivers it afterwards and can explain copies', async () => {
  const data = temporaryFolder();
  fillDataFolder(data.folder);
  const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
  const { db } = database;
  let held = 0;
  // The acknowledgement is taken without an answer, the message to the academy not at all, until the program is killed.
  let killed = false;
  const smtp = await startSmtpServer({
    onMessage({ recipient }) {
      if (killed) return 'take';
      held += 1;
      return recipient === 'ada@example.com' ? { takeAfterMs: 60_000 } : 'hang';
    },
  });
  const env = { DATA_DIR: data.folder, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` };
  const first = await startProgram(env);
  expect(first.output()).toContain(`Mail: by SMTP through 127.0.0.1:${smtp.port}`);
  const page = await (await fetch(`${first.url}/contact`)).text();
  const form = /name="form"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? '';
  const fields = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', message: 'Grüße', form };
  // The form must be two seconds old by the program's own clock.
  let location: string | null = null;
  await until(async () => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${first.url}/contact`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: first.url },
      body,
    });
    location = response.headers.get('Location');
    return location !== null;
  });
  // `held` counts a message by its head: the server has the acknowledgement only once the whole of it arrived.
  await until(() => held === 2 && smtp.taken.length === 1);
  await first.end('SIGKILL');
  killed = true;

  // As if the minute had passed after which an attempt counts as cut off.
  await sql`update pgboss.job set started_on = started_on - interval '2 minutes' where state = 'active'`.execute(db);
  await sql`update pgboss.queue set monitor_on = null`.execute(db);
  const second = await startProgram(env);
  await bossOn(db).supervise(queues.mail);
  const isSent = async () => {
    const states = await db.selectFrom('mails').select('state').execute();
    return states.length === 2 && states.every(({ state }) => state === 'sent');
  };
  await until(isSent);
  expect(await second.end('SIGTERM')).toBe(0);

  const outcomes = await db.selectFrom('mail_attempts').select(['number', 'outcome']).orderBy('number').execute();
  expect(outcomes).toEqual([
    { number: 1, outcome: null },
    { number: 1, outcome: null },
    { number: 2, outcome: 'delivered' },
    { number: 2, outcome: 'delivered' },
  ]);
  const taken = smtp.taken.map(({ recipient, messageId }) => ({ recipient, messageId }));
  const copies = taken.filter(({ recipient }) => recipient === 'ada@example.com');
  expect(copies).toHaveLength(2);
  expect(copies[0]).toEqual(copies[1]);
  const message = await PostalMime.parse(
    smtp.taken.find(({ recipient }) => recipient !== 'ada@example.com')?.raw ?? '',
  );
  expect(message).toMatchObject({
    replyTo: [{ address: 'ada@example.com' }],
    text: expect.stringContaining('> Grüße'),
  });
  expect(message.html).toContain('Grüße');
  expect(String(location)).toContain(message.subject?.split(' ').at(-1));
  await database.close();
  await smtp.close();
  data.remove();
});
