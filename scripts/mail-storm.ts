/**
 * `npm run mail:storm -- [--enquiries 1000] [--kills 10]`: sends enquiries to two built programs on one database while
 * their mail server misbehaves half the time and the programs are killed (kill -9). Then counts what was stored and
 * delivered, and whether the record of attempts explains every second copy. Ends with 1 when something is amiss.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { resendMail } from '#app/outbox/failed-mail.server.ts';
import { openDatabase } from '#server/database.ts';
import { optionsOrExit } from './support/options.ts';
import { freePort, type Program, startProgram, temporaryFolder } from './support/program.ts';
import { type SmtpBehaviour, startSmtpServer } from './support/smtp-server.ts';
import { until } from './support/until.ts';

const { values } = optionsOrExit('npm run mail:storm [-- --enquiries 1000] [--kills 10]', {
  options: { enquiries: { type: 'string', default: '1000' }, kills: { type: 'string', default: '10' } },
});
const [enquiries, kills] = [Number(values.enquiries), Number(values.kills)];
/** A form must be two seconds old. */
const ripeMs = 2100;
const answerSeconds = 1;
/** Mail about enquiries has no private links. */
const withoutLinks = { lead: async () => true };
const startedAt = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);

/** Half the time the server takes a message, but none is treated badly more than four times, or back-off would rule. */
const badly: [SmtpBehaviour, number][] = [
  ['defer', 17],
  ['refuse', 3],
  ['drop', 10],
  ['take-silently', 5],
  [{ takeAfterMs: 700 }, 6],
  [{ takeAfterMs: answerSeconds * 1000 + 1500 }, 4],
  ['hang', 5],
];
const treated = new Map<string, number>();
const counts = new Map<string, number>();
function onMessage({ messageId }: { messageId: string }): SmtpBehaviour {
  const before = treated.get(messageId) ?? 0;
  // A die with a hundred sides. For those beyond the list the server takes the message.
  const bad = before < 4 ? badly.flatMap(([one, share]) => Array<SmtpBehaviour>(share).fill(one)) : [];
  const behaviour = bad[randomInt(100)] ?? 'take';
  if (behaviour !== 'take') treated.set(messageId, before + 1);
  const name = typeof behaviour === 'object' ? `answer after ${behaviour.takeAfterMs} ms` : behaviour;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return behaviour;
}

const smtp = await startSmtpServer({ onMessage });
const data = temporaryFolder();
// Keeps the database running while both programs are dead.
const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, say);
const env = {
  DATA_DIR: data.folder,
  SMTP_URL: `smtp://127.0.0.1:${smtp.port}?timeout=${answerSeconds}`,
  TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
  LOG_LEVEL: 'error',
  SHED_AFTER: '5000',
};
const start = async () => startProgram({ ...env, BASE_URL: `http://localhost:${await freePort()}` });
const programs: Program[] = [await start(), await start()];
say(`two programs and a mail server run; sending ${enquiries} enquiries, killing ${kills} times`);

const references: string[] = [];
let [next, retries] = [0, 0];
const senders = Array.from({ length: 6 }, async () => {
  while (next < enquiries) {
    const mine = Array.from({ length: Math.min(10, enquiries - next) }, () => next++);
    const forms = [];
    for (const number of mine) forms.push({ number, token: await insist((url) => takeToken(url)) });
    await sleep(ripeMs);
    for (const { number, token } of forms) references.push(await insist((url) => send(url, number, token)));
  }
});
const killing = (async () => {
  for (let kill = 1; kill <= kills; kill++) {
    await until(() => references.length >= (enquiries * kill) / (kills + 1), 300_000);
    const victim = kill % 2;
    await programs[victim]?.end('SIGKILL');
    say(`killed ${kill} of ${kills}; ${references.length} acknowledged, ${smtp.taken.length} taken by the mail server`);
    programs[victim] = await start();
  }
})();
await Promise.all([...senders, killing]);
say(`all ${references.length} acknowledged; waiting for the mail`);

const { db } = database;
const waiting = async () => (await db.selectFrom('mails').select('id').where('state', '=', 'queued').execute()).length;
let [left, sentAgain] = [Math.max(1, await waiting()), 0];
while (left > 0 && performance.now() - startedAt < 900_000) {
  await sleep(5000);
  left = await waiting();
  say(`${left} mails still queued`);
  // Sends again, as staff do, the mails that the server refused for good.
  for (const { id } of await db.selectFrom('mails').select('id').where('state', '=', 'failed').execute()) {
    const again = () => db.transaction().execute((trx) => resendMail(trx, id, new Date(), withoutLinks));
    if ((await again()).ok) sentAgain++;
  }
  left = await waiting();
}

const stored = await db.selectFrom('enquiries').select('reference').execute();
const mails = await db.selectFrom('mails').select(['id', 'kind', 'state', 'message_id']).execute();
const attempts = await db.selectFrom('mail_attempts').selectAll().execute();
const copies = new Map<string, number>();
for (const { messageId } of smtp.taken) copies.set(messageId, (copies.get(messageId) ?? 0) + 1);
const second = [...copies.values()].reduce((sum, count) => sum + count - 1, 0);
const explained = mails.reduce((sum, mail) => {
  const more = (copies.get(mail.message_id ?? '') ?? 1) - 1;
  // Cut off before its end was recorded, or ended without an answer of the server.
  const open = attempts.filter((one) => one.mail_id === mail.id && (one.outcome ?? 'unknown') === 'unknown').length;
  return sum + Math.min(more, open);
}, 0);
const delivered = mails.filter((mail) => copies.has(mail.message_id ?? '')).length;
const cutOff = attempts.filter(({ outcome }) => outcome === null).length;
const refused = attempts.filter(({ outcome }) => outcome === 'refused').length;
/** Refusals that a killed program could not record: the next one tries such a mail again, without staff. */
const unrecorded = (counts.get('refuse') ?? 0) - refused;
const figures: [string, number, number | null][] = [
  ['enquiries acknowledged', references.length, enquiries],
  ['different references', new Set(references).size, enquiries],
  ['enquiries stored', stored.length, enquiries],
  ['mails queued', mails.length, enquiries * 2],
  ['mails delivered', delivered, enquiries * 2],
  ['mails recorded as sent', mails.filter(({ state }) => state === 'sent').length, enquiries * 2],
  ['attempts', attempts.length, null],
  ['attempts cut off by a kill', cutOff, null],
  ['refused for good and sent again by staff', sentAgain, refused],
  ['refusals that a kill cut off', unrecorded, unrecorded >= 0 && unrecorded <= cutOff ? null : 0],
  ['second copies', second, null],
  ['second copies explained', explained, second],
  ['posts repeated after a broken connection', retries, null],
];
for (const program of programs) await program.end('SIGTERM');
await database.close();
await smtp.close();
data.remove();

say('done');
console.log(`\nThe mail server: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}\n`);
for (const [name, value, wanted] of figures) {
  const verdict = wanted === null ? '' : value === wanted ? 'ok' : `WRONG, should be ${wanted}`;
  console.log(`${name.padEnd(42)}${String(value).padStart(7)}  ${verdict}`);
}
process.exit(figures.every(([, value, wanted]) => wanted === null || value === wanted) ? 0 : 1);

/** Tries one program after the other until one has answered. */
async function insist(work: (url: string) => Promise<string | null>): Promise<string> {
  for (let turn = 0; ; turn++) {
    const url = programs[turn % 2]?.url ?? '';
    const result = await work(url).catch(() => null);
    if (result !== null) return result;
    retries++;
    await sleep(100);
  }
}

async function takeToken(url: string): Promise<string | null> {
  const page = await (await fetch(`${url}/contact`, { signal: AbortSignal.timeout(10_000) })).text();
  return /name="form"[^>]*value="([^"]+)"/.exec(page)?.[1] ?? null;
}

/** Sends a form from an address of its own, as a person does; the reference, or null for anything else. */
async function send(url: string, number: number, form: string): Promise<string | null> {
  const fields = {
    firstName: 'Ada',
    lastName: 'Byron',
    email: `visitor-${number}@example.com`,
    message: `No. ${number}`,
  };
  const response = await fetch(`${url}/contact`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': `10.0.${number >> 8}.${number & 255}` },
    body: new URLSearchParams({ ...fields, form }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return /\/sent\/(BB-\w{6})/.exec(response.headers.get('Location') ?? '')?.[1] ?? null;
}
