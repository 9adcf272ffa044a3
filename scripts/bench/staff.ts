import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createDb, type Db } from '#app/db/client.server.ts';
import { theProgram } from '#app/features/people/actor.ts';
import { inviteStaff } from '#app/features/people/commands.server.ts';
import { reports } from '#app/features/reports/reports.server.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { writeManyEnrolments } from '#scripts/support/many-enrolments.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { openDatabase } from '#server/database.ts';
import { type Figure, median, type Part, percentile } from './figure.ts';
import { day } from './programs.ts';

/** `BENCH_ENROLMENTS` is another number of enrolments. */
const enrolments = Number(process.env.BENCH_ENROLMENTS ?? 50_000);
/** `BENCH_DATA` is a folder that keeps them: to fill it takes ten minutes, and a second run measures what is there. */
const kept = process.env.BENCH_DATA;
const rounds = 40;
/** How often each page is asked for before any is measured: what is measured is a program that has run for a while. */
const warmUps = 20;

/** The financial year before `day`. */
const year = 'from=2024-07-01&to=2025-06-30';
/** A page of the back office that asks the database next to nothing: what every such page costs. */
const trivial = '/staff/views';
/** Each with a number in its place, so that no two requests ask the same. */
const pages: readonly (readonly [name: string, path: (round: number) => string])[] = [
  ['the first page', () => '/staff'],
  ['course dates of a month', () => '/staff/course-dates/calendar'],
  ['classes', () => '/staff/classes'],
  ['finding a first name', () => '/staff/find?q=ada'],
  ['all, the latest first', () => '/staff/enrolments'],
  ['owes money', () => '/staff/enrolments?state=unpaid'],
  ['past due, the latest due first', () => '/staff/enrolments?state=overdue&sort=-due'],
  ['by start', (round) => `/staff/enrolments?sort=starts&starts-from=2024-0${1 + (round % 9)}-01`],
  ['by what is owed', () => '/staff/enrolments?sort=owed'],
  ['name missing', () => '/staff/enrolments?state=unnamed&sort=starts'],
  ['a course', (round) => `/staff/enrolments?course=${['cissp', 'comptia-security-plus'][round % 2]}`],
  ['a course, owes money', () => '/staff/enrolments?course=cissp&state=unpaid'],
  ['three filters without an index', () => '/staff/enrolments?paid=other&state=cancelled&starts-from=2025-06-01'],
  ['a week by start', (round) => `/staff/enrolments?enrolled-from=2024-03-${10 + (round % 18)}&sort=starts`],
  ['a number', (round) => `/staff/enrolments?search=INV-${1_000_001 + round * 977}`],
  ['a name', (round) => `/staff/enrolments?search=byron+${1000 + round * 31}`],
  ['a name of thousands', () => '/staff/enrolments?search=ada+byron'],
  ['a first name of a thirtieth', () => '/staff/enrolments?search=ada'],
  ['people', () => '/staff/people'],
  ['people by address', () => '/staff/people?sort=address'],
  ['a person by phone', (round) => `/staff/people?search=07+7${String(round * 1171).padStart(7, '0')}`],
  ['people of a name', () => '/staff/people?search=ada+byron'],
  ['payments to look at', () => '/staff/payments'],
  ...reports.map(({ slug }) => [`report ${slug}, a year`, () => `/staff/reports/${slug}?${year}`] as const),
];

/** The heaviest pages of the back office at 50,000 enrolments (P102), beside a page that asks next to nothing. */
export const staff: Part = {
  name: 'staff',
  async run(say) {
    const data = kept ? { folder: kept, remove: () => undefined } : temporaryFolder();
    const env = { DATA_DIR: data.folder, TODAY: day, LOG_LEVEL: 'warn', SHED_AFTER: '60000' };
    // Once for the tables and the courses.
    await (await startProgram(env)).end('SIGTERM');
    const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
    const owner = createDb(database.owner, () => undefined);
    if (!(await owner.selectFrom('enrolments').select('id').limit(1).executeTakeFirst())) {
      const from = performance.now();
      await writeManyEnrolments(owner, enrolments, day);
      say(`${enrolments.toLocaleString('en-AU')} enrolments in ${Math.round((performance.now() - from) / 1000)} s`);
    }
    const program = await startProgram(env);
    try {
      await untilDailyJobsAreDone(owner, say);
      const headers = { Cookie: `sign-in=${await signIn(owner)}` };
      const timed = async (path: string) => {
        const start = performance.now();
        const { status } = await fetch(program.url + path, { headers, redirect: 'manual' }).then(async (answer) => {
          await answer.text();
          return answer;
        });
        if (status !== 200) throw new Error(`${path} answered ${status}`);
        return performance.now() - start;
      };
      const figures: Figure[] = [];
      const measured = [['a page of little', () => trivial] as const, ...pages];
      for (let round = 0; round < warmUps; round++) {
        for (const [, pathOf] of measured) await timed(pathOf(round));
      }
      for (const [name, pathOf] of measured) {
        const [times, little] = [[] as number[], [] as number[]];
        const manyOfLittle = async () => {
          for (let round = 0; round < rounds / 4; round++) little.push(await timed(trivial));
        };
        await manyOfLittle();
        for (let round = 0; round < rounds; round++) times.push(await timed(pathOf(warmUps + round)));
        await manyOfLittle();
        figures.push(
          { name: `${name}, p95`, unit: 'ms', value: percentile(times, 0.95), goal: { atMost: 100 } },
          { name: `${name}, median`, unit: 'ms', value: median(times) },
          { name: `${name}: times a page of little`, unit: '', value: median(times) / median(little) },
        );
      }
      return figures;
    } finally {
      await program.end('SIGTERM');
      await owner.destroy();
      await database.close();
      data.remove();
    }
  },
};

/**
 * A program that starts on these data does its daily jobs and writes thousands of reminders. Waits until neither asks
 * anything for ten seconds: pages are measured as they are for the rest of the day.
 */
async function untilDailyJobsAreDone(db: Db, say: (line: string) => void): Promise<void> {
  const from = performance.now();
  for (let quiet = 0; quiet < 10; ) {
    await sleep(1000);
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and now() - xact_start > interval '1 second'`.execute(db);
    const due = await db.selectFrom('mails').select('id').where('state', '=', 'queued').limit(1).execute();
    quiet = rows.length + due.length > 0 ? 0 : quiet + 1;
  }
  say(`daily jobs done after ${Math.round((performance.now() - from) / 1000)} s`);
}

/** An owner who is signed in for a day; the value of the cookie. */
export async function signIn(db: Db): Promise<string> {
  const at = new Date(`${day}T00:00:00Z`);
  const token = makeToken();
  await db.transaction().execute(async (trx) => {
    const person = { email: 'bench@example.com', name: 'Ada Byron' };
    const { id } = await inviteStaff(trx, person, { actor: theProgram, at }, { role: 'owner' });
    const [past, future] = [new Date('2000-01-01T00:00:00Z'), new Date('2100-01-01T00:00:00Z')];
    await trx
      .insertInto('sign_ins')
      .values({
        token_hash: hashOfToken(token),
        person_id: id,
        audience: 'staff',
        browser: 'bench',
        created_at: past,
        used_at: future,
        idle_until: future,
        ends_at: future,
        proved_at: at,
      })
      .execute();
  });
  return token;
}
