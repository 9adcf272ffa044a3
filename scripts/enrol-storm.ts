/**
 * `npm run enrol:storm -- [--people 500] [--kills 100]`: two built programs on one database. First, people who are all
 * after the last six seats of a training session choose them at once; those who got one enrol to the end. Then people
 * enrol one after another while the programs are killed (kill -9). Counts what was sold, what everybody was told, and
 * whether ledger, places and invoices agree. Ends with 1 when something is amiss.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '#server/database.ts';
import { draftOf, enroller } from './support/enrolling.ts';
import { optionsOrExit } from './support/options.ts';
import { freePort, type Program, startProgram, temporaryFolder } from './support/program.ts';
import { startSmtpServer } from './support/smtp-server.ts';
import { until } from './support/until.ts';

const { values } = optionsOrExit('npm run enrol:storm [-- --people 500] [--kills 100]', {
  options: { people: { type: 'string', default: '500' }, kills: { type: 'string', default: '100' } },
});
const [people, kills] = [Number(values.people), Number(values.kills)];
const startedAt = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);

const smtp = await startSmtpServer({});
const data = temporaryFolder();
// Keeps the database running while both programs are dead.
const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, say);
const { db } = database;
const env = {
  DATA_DIR: data.folder,
  TODAY: '2025-09-08',
  SMTP_URL: `smtp://127.0.0.1:${smtp.port}?timeout=5`,
  TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
  LOG_LEVEL: 'error',
  SHED_AFTER: '5000',
};
const start = async () => startProgram({ ...env, BASE_URL: `http://localhost:${await freePort()}` });
const programs: Program[] = [await start(), await start()];

/** The latest code mailed to an address; read from the mail server, as a person reads it in their mail. */
async function codeOf(email: string, again: () => Promise<unknown> = async () => undefined): Promise<string> {
  const found = () => {
    const mail = smtp.taken.findLast(({ recipient, raw }) => recipient === email && /\b\d{6}\b/.test(subjectless(raw)));
    return mail && /^\s*(\d{6})\s*$/m.exec(subjectless(mail.raw))?.[1];
  };
  // The mail of a killed program goes out a while later. Meanwhile the buyer asks for another code, as people do.
  for (const patienceMs of [10_000, 20_000, 180_000]) {
    const arrived = await until(() => found() !== undefined, patienceMs).then(
      () => true,
      () => false,
    );
    if (arrived) return found() ?? '';
    codesAgain++;
    await again();
  }
  throw new Error(`no code reached ${email}`);
}
const subjectless = (raw: string) => raw.slice(raw.indexOf('\r\n\r\n'));

let [retries, codesAgain] = [0, 0];
const refusals = new Map<string, number>();
/** Requests from an address of its own, from one program or, while that one is away, the other. */
const requestAs =
  (number: number) =>
  async (path: string, init: RequestInit = {}) => {
    const from = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    for (let turn = number; ; turn++) {
      try {
        const headers = new Headers(init.headers);
        headers.set('X-Forwarded-For', from);
        const url = `${programs[turn % 2]?.url}${path}`;
        const response = await fetch(url, {
          ...init,
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(30_000),
        });
        if (response.status < 500) return response;
        const said = /<title>([^<]*)/.exec(await response.text())?.[1] ?? '';
        const told = `${response.status} ${said}`;
        refusals.set(told, (refusals.get(told) ?? 0) + 1);
      } catch {
        // Killed, or not started yet.
      }
      retries++;
      if (retries > 200_000) throw new Error('the programs never answered');
      await sleep(100);
    }
  };
const somebody = (number: number) => enroller({ request: requestAs(number), code: codeOf });

say(`two programs and a mail server run; ${people} people want the last 6 seats`);
const seat = { attendees: '1', 'way-cissp': 'session:cissp-melbourne' };
const forms = [];
for (let number = 1; number <= people; number++) {
  forms.push(await somebody(number).filled('/enrol?session=cissp-melbourne', seat));
}
say('all have the page open');
const answers = await Promise.all(
  forms.map(async (form, at) => {
    const response = await somebody(at + 1).post('/enrol', form);
    return { number: at + 1, draft: draftOf(response), status: response.status, text: await response.text() };
  }),
);
const got = answers.filter(({ draft }) => draft);
const toldFull = answers.filter(({ status, text }) => status === 409 && /is full\. .*Choose another date/.test(text));
say(`${got.length} hold a seat, ${toldFull.length} were told that the session is full; ${retries} requests repeated`);
const placed = await Promise.all(
  got.map(async ({ number, draft = '' }) => {
    const one = somebody(number);
    await one.fillIn(draft, `buyer@number-${number}.example`);
    return (await one.place(draft)).headers.get('Location') ?? '';
  }),
);
const enrolled = placed.filter((location) => location.includes('/done')).length;
say(`${enrolled} enrolled`);
const soldOf = async (slug: string) => {
  const { rows } = await sql<{ sold: number }>`select count(*)::integer as sold from places
    join training_sessions on training_sessions.id = training_session_id
    where training_sessions.slug = ${slug} and places.state = 'active'`.execute(db);
  return rows[0]?.sold ?? 0;
};
const soldOfLast = await soldOf('cissp-melbourne');

// More seats than are sold meanwhile: a full session would end the enrolling before the kills do.
const seats = Math.max(500, 10 * kills);
say(`now ${kills} kills while people enrol in a session of ${seats}`);
const big = 'security-plus-online';
await sql`update training_sessions set capacity = ${seats} where slug = ${big}`.execute(db);
const acknowledged: string[] = [];
let next = people;
let killing = true;
const buyers = Array.from({ length: 6 }, async () => {
  while (killing) {
    const number = ++next;
    const one = somebody(number);
    const wish = { attendees: '1', 'way-comptia-security-plus': `session:${big}` };
    const draft = draftOf(await one.post('/enrol', await one.filled(`/enrol?session=${big}`, wish)));
    if (!draft) continue;
    await one.fillIn(draft, `buyer@number-${number}.example`);
    const done = (await one.place(draft)).headers.get('Location') ?? '';
    if (done.includes('/done')) acknowledged.push(`buyer@number-${number}.example`);
  }
});
for (let kill = 1; kill <= kills; kill++) {
  const before = acknowledged.length;
  await until(() => acknowledged.length > before, 120_000);
  const victim = kill % 2;
  await programs[victim]?.end('SIGKILL');
  if (kill % 10 === 0) say(`killed ${kill} of ${kills}; ${acknowledged.length} enrolled`);
  programs[victim] = await start();
}
killing = false;
await Promise.all(buyers);
say(`${acknowledged.length} enrolled; counting`);

const count = async (query: ReturnType<typeof sql<{ count: number }>>) => (await query.execute(db)).rows[0]?.count ?? 0;
const mine = (await db.selectFrom('enrolments').select('email').execute()).map(({ email }) => email);
const lost = acknowledged.filter((email) => !mine.includes(email)).length;
const twice = mine.length - new Set(mine).size;
const overfull = await count(sql`select count(*)::integer as count from (
  select training_session_id from seat_movements join training_sessions s on s.id = training_session_id
  group by training_session_id, capacity having sum(seats) > capacity or sum(seats) < 0) wrong`);
const unexplained = await count(sql`select count(*)::integer as count from places
  where training_session_id is not null and (select coalesce(sum(seats), 0) from seat_movements where place_id = places.id)
    <> case state when 'active' then 1 else 0 end`);
const orphaned = await count(sql`select count(*)::integer as count from seat_movements
  where place_id is not null and not exists (select from places where id = place_id)`);
const miscounted = await count(sql`select count(*)::integer as count from session_seats c
  where sold + held + offered <> (select coalesce(sum(seats), 0) from seat_movements m
    where m.training_session_id = c.training_session_id)`);
const gaps = await count(sql`select (coalesce(max(number), 0) - count(*))::integer as count from tax_invoices`);
const uninvoiced = await count(sql`select count(*)::integer as count from enrolments
  where not exists (select from tax_invoices where enrolment_id = enrolments.id)`);
const unequal = await count(sql`select count(*)::integer as count from tax_invoices where total_cents <>
  (select sum(amount_cents) from tax_invoice_lines where tax_invoice_id = tax_invoices.id)`);
const untold = await count(sql`select count(*)::integer as count from enrolments where not exists
  (select from mails where recipient = enrolments.email and kind = 'enrolment-placed')`);

const figures: [string, number, number | null][] = [
  ['people after the last 6 seats', people, null],
  ['  seats sold', soldOfLast, 6],
  ['  told that they are enrolled', enrolled, 6],
  ['  told that it is full', toldFull.length, people - 6],
  ['kills', kills, null],
  ['  enrolments acknowledged', acknowledged.length, null],
  ['  acknowledged and not stored', lost, 0],
  ['  stored twice', twice, 0],
  ['  places sold in that session', await soldOf(big), mine.length - 6],
  ['sessions sold beyond their capacity', overfull, 0],
  ['places that their movements do not explain', unexplained, 0],
  ['movements without a place', orphaned, 0],
  ['sessions whose counter is not the sum of their movements', miscounted, 0],
  ['gaps in the numbers of invoices', gaps, 0],
  ['enrolments without an invoice', uninvoiced, 0],
  ['invoices that their lines do not sum to', unequal, 0],
  ['enrolments without their email', untold, 0],
  ['requests repeated', retries, null],
  ['codes asked for again', codesAgain, null],
];
for (const program of programs) await program.end('SIGTERM');
await database.close();
await smtp.close();
data.remove();
say('done');
if (refusals.size > 0) console.log([...refusals].map(([told, times]) => `${times} times ${told}`).join('\n'));
console.log('');
for (const [name, value, wanted] of figures) {
  const verdict = wanted === null ? '' : value === wanted ? 'ok' : `WRONG, should be ${wanted}`;
  console.log(`${name.padEnd(46)}${String(value).padStart(7)}  ${verdict}`);
}
process.exit(figures.every(([, value, wanted]) => wanted === null || value === wanted) ? 0 : 1);
