import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '#app/db/schema.ts';
import { sessionsBelowMinimum } from '#app/features/enrolments/session-attention.server.ts';
import { waitingDocuments } from '#app/features/money/accountant/files.server.ts';
import { paymentsToReview } from '#app/features/money/payments-to-review.server.ts';
import type { After } from '#app/features/reports/after.ts';
import type { Part } from '#app/features/reports/report.ts';
import { reportAt } from '#app/features/reports/reports.server.ts';
import { readPlanned } from '#app/features/sessions/plan.server.ts';
import { coursesWithoutDates } from '#app/features/sessions/without-dates.server.ts';
import { listClasses } from '#app/routes/staff/classes/classes.server.ts';
import { enrolmentList, enrolmentStates } from '#app/routes/staff/enrolments/enrolment-filter.ts';
import { countEnrolments, listEnrolments } from '#app/routes/staff/enrolments/enrolments.server.ts';
import { listOverdue } from '#app/routes/staff/enrolments/overdue.server.ts';
import { findAnything } from '#app/routes/staff/find/find.server.ts';
import { listPeople } from '#app/routes/staff/people/people.server.ts';
import { peopleList } from '#app/routes/staff/people/people-filter.ts';
import { listSessions } from '#app/routes/staff/sessions/list-sessions.server.ts';
import { sessionList } from '#app/routes/staff/sessions/session-filter.ts';
import { classesToday } from '#app/routes/staff/today/classes.server.ts';
import { moneyDue } from '#app/routes/staff/today/money.server.ts';
import { datesToDecide, namesMissing } from '#app/routes/staff/today/needs-of-dates.server.ts';
import { writeManyEnrolments } from '#scripts/support/many-enrolments.ts';
import { anOwner } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const today = '2025-09-08';
/** So many that looking at ten thousand of them is not the same as reading all. */
const count = 30_000;
/** A search collects at most so many rows before it puts them in order. */
const mostCollected = 2001;

let database: TestDatabase;
let pool: pg.Pool;
let db: Kysely<DB>;
/** Every query that was sent, with its parameters. */
let sent: { sql: string; parameters: readonly unknown[] }[] = [];
beforeAll(async () => {
  database = await createTestDatabase('academyTemplate');
  await writeManyEnrolments(database.owner, count, today);
  pool = new pg.Pool(database.connection);
  // The database may be dropped before a connection that was told to end has ended.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push({ sql: query.sql, parameters: query.parameters }),
  });
}, 240_000);
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Plan Rows': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** What of the queries would cost more with more rows: tables read whole, and rows put in order without an index. */
async function faultsOf(work: () => Promise<unknown>, tables = large): Promise<string[]> {
  sent = [];
  await work();
  const faults = [];
  for (const { sql: text, parameters } of sent) {
    // What asks the planner alone reads no row.
    if (/^\s*explain/.test(text)) continue;
    const { rows } = await pool.query(`explain (format json) ${text}`, [...parameters]);
    for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      const { 'Node Type': kind, 'Relation Name': table = '', 'Plan Rows': count } = node;
      if (kind === 'Seq Scan' && tables.has(table)) faults.push(`reads all of ${table}: ${text}`);
      if (/Sort/.test(kind) && count > mostCollected) faults.push(`puts ${count} rows in order: ${text}`);
    }
  }
  return faults;
}

/** The most rows of a table that one of the queries looks at, with those that it then leaves out. */
async function rowsLookedAt(work: () => Promise<unknown>, table: string): Promise<number> {
  sent = [];
  await work();
  const looks = [0];
  for (const { sql: text, parameters } of sent) {
    const { rows } = await pool.query(`explain (analyze, format json) ${text}`, [...parameters]);
    for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      if (node['Relation Name'] !== table) continue;
      looks.push(((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0));
    }
  }
  return Math.max(...looks);
}

const large = new Set([
  ...['people', 'person_emails', 'person_words', 'enrolments', 'attendees', 'places'],
  ...['tax_invoices', 'payments', 'enrolment_index', 'enrolment_list', 'enrolment_courses'],
  ...['tax_invoice_lines', 'figures', 'due_parts'],
]);

/** Other pages read the few dates of this database together. */
const datesToo = new Set([...large, 'training_sessions', 'session_seats']);

const enrolments = (query: string) => () =>
  listEnrolments(db, anOwner, enrolmentList.viewOf(new URLSearchParams(query)), today);
const people = (query: string) => () => listPeople(db, anOwner, peopleList.viewOf(new URLSearchParams(query)));

const orders = ['enrolled', '-enrolled', 'starts', '-starts', 'owed', '-owed', 'due'];
const enrolmentQueries = [
  ...orders.map((sort) => `sort=${sort}`),
  ...Object.keys(enrolmentStates).flatMap((state) => orders.map((sort) => `state=${state}&sort=${sort}`)),
  ...orders.map((sort) => `course=cissp&sort=${sort}`),
  'course=cissp&state=unpaid&paid=card',
  'paid=other&starts-from=2025-10-01',
  'enrolled-from=2025-08-01&enrolled-until=2025-08-09&starts-before=2025-11-01',
  'starts-from=2025-09-08&starts-before=2025-10-08&sort=starts&state=unnamed',
  'session=many-1900',
  'search=ada+byron',
  // A word of every address.
  'search=com',
  'search=BB-222',
  'search=INV-1000123&state=unpaid',
];

test('no page of the list of enrolments reads a table whole or puts many rows in order', async () => {
  const faults = [];
  for (const query of enrolmentQueries) faults.push(...(await faultsOf(enrolments(query))));
  expect(faults).toEqual([]);
  for (const state of ['overdue', 'overpaid', 'choosing'] as const) {
    expect(await faultsOf(() => countEnrolments(db, state, today, 99))).toEqual([]);
  }
});

test('no page in the middle of the list of enrolments, before or after another, reads a table whole', async () => {
  const faults = [];
  for (const sort of ['enrolled', 'starts', 'owed']) {
    const { older } = await enrolments(`sort=${sort}`)();
    expect(older).not.toBeNull();
    for (const at of ['after', 'before'] as const) {
      const view = enrolmentList.viewOf(new URLSearchParams({ sort }));
      const cursor = older && { ...older, at };
      faults.push(...(await faultsOf(() => listEnrolments(db, anOwner, { ...view, cursor }, today))));
    }
  }
  expect(faults).toEqual([]);
});

test('the list of people reads no table whole', async () => {
  const faults = [];
  for (const query of ['', 'sort=-newest', 'sort=address', 'sort=-address', 'kind=staff', 'kind=account']) {
    faults.push(...(await faultsOf(people(query))));
  }
  for (const query of [
    'search=ada+byron',
    'search=com',
    'search=buyer17',
    'search=07+7000+0017',
    'search=freight+1200',
  ]) {
    faults.push(...(await faultsOf(people(query))));
  }
  expect(faults).toEqual([]);
});

test('Ctrl K reads no table whole', async () => {
  const faults = [];
  for (const typed of [
    'ada byron',
    'buyer17',
    '07 7000 0017',
    'BB-222222',
    'BB-222',
    'INV-1000123',
    '1000123',
    'freight 1200',
    'cissp',
    'com',
    'monday 2025',
  ]) {
    faults.push(...(await faultsOf(() => findAnything(db, anOwner, typed, { today, byCard: true }))));
  }
  expect(faults).toEqual([]);
});

test('of a word that everybody has the newest are found, and dates are asked only for words that dates have', async () => {
  const { groups } = await findAnything(db, anOwner, 'com', { today, byCard: true });
  const rowsOf = (name: string) => groups.find((group) => group.name === name)?.rows ?? [];
  const newest = await db.selectFrom('enrolments').select('reference').orderBy('id', 'desc').limit(6).execute();
  expect(rowsOf('Enrolments').map(({ end }) => end)).toEqual(newest.map(({ reference }) => reference));
  expect(rowsOf('People').length).toBe(6);
  sent = [];
  await findAnything(db, anOwner, 'byron', { today, byCard: true });
  expect(sent.filter(({ sql: text }) => text.includes('training_sessions'))).toEqual([]);
});

test('a rare word is found however many rows there are, also beside a common one', async () => {
  const found = async (search: string) => (await enrolments(`search=${search}`)()).enrolments.map(({ email }) => email);
  // Of 30,000, far from the newest that are looked at.
  const email = 'buyer10007@example7.com';
  for (const search of ['buyer10007', 'buyer10007+com', 'com+ada+buyer10007']) {
    const { rows } = await sql<{
      name: string;
    }>`select buyer_name as name from enrolments where email = ${email}`.execute(db);
    const words = search.replace('ada', rows[0]?.name.split(' ')[0] ?? '');
    expect(await found(words), words).toContain(email);
    expect((await people(`search=${words}`)()).people.map((one) => one.email)).toContain(email);
    const { groups } = await findAnything(db, anOwner, words.replaceAll('+', ' '), { today, byCard: true });
    expect(groups.find(({ name }) => name === 'People')?.rows.length, words).toBe(1);
  }
});

test('what the first page asks of course dates reads no table whole', async () => {
  const at = { now: new Date(`${today}T00:00:00Z`), today, holidays: new Set<string>() };
  const faults = [];
  for (const read of [
    () => datesToDecide(db, anOwner, at),
    () => namesMissing(db, anOwner, at),
    () => coursesWithoutDates(db, anOwner, today),
    () => moneyDue(db, anOwner, today),
  ]) {
    faults.push(...(await faultsOf(read, datesToo)));
  }
  expect(faults).toEqual([]);
  // Those that begin first, as by reading all of them.
  const { rows } = await sql<{ reference: string }>`select distinct s.starts_on, e.id, e.reference
    from attendees a join places p on p.attendee_id = a.id join training_sessions s on s.id = training_session_id
      join enrolments e on e.id = p.enrolment_id
    where a.name is null and p.state = 'active' and s.starts_on > ${today} and s.starts_on <= ${today}::date + 21
    order by s.starts_on, e.id`.execute(db);
  const { needs, cut } = await namesMissing(db, anOwner, at);
  const all = rows.map(({ reference }) => `/staff/enrolments/${reference}`);
  expect([needs.map(({ to }) => to), cut]).toEqual([all.slice(0, 20), all.length > 20]);
  expect(all.length).toBeGreaterThan(0);
});

test('figures of a year, the page for the accountant and the question which dates lack people read no table whole', async () => {
  const year = { from: '2024-07-01', end: '2025-07-01' };
  const now = new Date(`${today}T00:00:00Z`);
  const faults = [];
  for (const slug of [
    'money',
    'enrolments',
    'courses',
    'tracks',
    'sources',
    'page-to-payment',
    'page-to-payment-by-week',
  ]) {
    faults.push(...(await faultsOf(async () => reportAt(slug)?.read(db, anOwner, year, now) ?? expect.unreachable())));
  }
  faults.push(...(await faultsOf(() => waitingDocuments(db, anOwner))));
  faults.push(...(await faultsOf(() => sessionsBelowMinimum(db, today), datesToo)));
  expect(faults).toEqual([]);
  // More than are counted: the page says so.
  const { 'tax-invoice': invoices } = await waitingDocuments(db, anOwner);
  expect([invoices.documents, invoices.more]).toEqual([10_000, true]);
});

test('the enrolments written in bulk are what the program would have written', async () => {
  const { rows } = await sql<{ wrong: number; all: number }>`select count(*)::integer as all,
    (count(*) filter (where list.balance_cents <> list.total_cents - paid_for(list.enrolment_id)))::integer as wrong
    from enrolment_list list`.execute(database.db);
  expect(rows).toEqual([{ all: count, wrong: 0 }]);
  // And so are the rows of their list.
  const facts = sql`enrolment_id, starts_on, places, total_cents, balance_cents, due_on, paid_by, name_missing, choosing,
    waiting, from_session, cancelled`;
  const some = sql`array(select id from enrolments where id % 10 = 7)`;
  const others = await sql`select ${facts} from enrolment_list where enrolment_id = any(${some})
    except select ${facts} from enrolment_facts(${some})`.execute(database.db);
  expect(others.rows).toEqual([]);
  const first = await enrolments('')();
  expect(first.standing).toEqual({ before: 0, shown: 50, total: 10_000, more: true });
  expect((await enrolments('state=cancelled')()).standing.total).toBe(count / 40);
});

test('pages of classes show a bounded number, say that there are more, and leave out none that is on', async () => {
  const { now: on, coming, past } = await listClasses(db, anOwner, today);
  const { rows } = await sql<{ slug: string }>`select slug from training_sessions s
    where starts_on <= ${today} and ends_on >= ${today} and s.state <> 'cancelled' and retired_at is null
      and exists (select from places where training_session_id = s.id and state <> 'cancelled')
    order by starts_on, id`.execute(db);
  expect(on.classes.map(({ slug }) => slug)).toEqual(rows.map(({ slug }) => slug));
  expect(rows.length).toBeGreaterThan(0);
  expect([coming.classes.length, coming.more, past.classes.length, past.more]).toEqual([50, true, 50, true]);
  const first = await classesToday(db, anOwner, new Date(`${today}T00:00:00Z`));
  expect(first.count).toBeGreaterThanOrEqual(rows.length);
  expect(first.shown.length).toBe(Math.min(first.count, 40));
});

test('pages of dates look neither at the dates that are over nor at all that are still to come', async () => {
  // Ten enrolments a date: 3,000 dates in three years, of which 300 are to come.
  const pages: [() => Promise<unknown>, number][] = [
    [() => classesToday(db, anOwner, new Date(`${today}T00:00:00Z`)), 100],
    [() => listClasses(db, anOwner, today), 100],
    [() => readPlanned(db, { from: today, to: '2025-09-14' }), 100],
    // Those to come are counted.
    [() => listSessions(db, anOwner, sessionList.viewOf(new URLSearchParams()), today), 500],
  ];
  for (const [work, most] of pages) {
    expect(await rowsLookedAt(work, 'training_sessions')).toBeLessThan(most);
    expect(await rowsLookedAt(work, 'session_seats')).toBeLessThan(most);
  }
});

test('sums of what is due are those of every open invoice, and say where more is due than was added up', async () => {
  const { rows } = await sql<{ band: 'week' | 'late' | 'long'; parts: number; cents: number }>`
    select case when due_on >= ${today} then 'week' when due_on >= ${today}::date - 14 then 'late' else 'long' end as band,
      count(*)::integer as parts, sum(due_cents)::bigint as cents
    from enrolments cross join lateral open_invoices(enrolments.id) as open
    -- The day is a Monday, so its week ends six days later.
    where due_on between ${today}::date - 1096 and ${today}::date + 6 group by 1`.execute(db);
  const all = Object.fromEntries(rows.map(({ band, ...sum }) => [band, { ...sum, atLeast: false }]));
  const due = await moneyDue(db, anOwner, today);
  expect({ week: due.week, late: due.late, long: due.long }).toEqual(all);
  const few = await moneyDue(db, anOwner, today, 3);
  expect([few.long.parts, few.long.atLeast, few.long.cents < due.long.cents]).toEqual([3, true, true]);
});

test('pages of what is owed hold each row once, in the order of the file, and say what all of them add up to', async () => {
  const now = new Date(`${today}T00:00:00Z`);
  const period = { from: '2025-08-01', end: '2025-10-01' };
  const read = (part?: Part) => reportAt('owed')?.read(db, anOwner, period, now, part) ?? expect.unreachable();
  const { rows: all } = await read();
  expect(all.length).toBeGreaterThan(40);
  const pages = [];
  const standings = [];
  let after: After | null = null;
  do {
    const { rows, page } = await read({ after, most: 20 });
    pages.push(...rows);
    standings.push(page?.standing);
    expect(page?.sums.at(-1)).toBe(all.reduce((sum, row) => sum + Number(row.at(-1)), 0));
    after = page?.next ?? null;
  } while (after);
  expect(pages).toEqual(all);
  expect(standings[1]).toEqual({ before: 20, shown: 20, total: all.length, more: false });
  expect(standings).toHaveLength(Math.ceil(all.length / 20));
});

test('payments to look at, late payments, the report of what is owed and the sums on the first page read no table whole', async () => {
  const now = new Date(`${today}T00:00:00Z`);
  const period = { from: '2025-08-01', end: '2025-10-01' };
  const part = { after: { day: '2025-08-20', id: 1_000_000_000 }, most: 200 };
  const faults = [
    ...(await faultsOf(() => moneyDue(db, anOwner, today))),
    ...(await faultsOf(() => listOverdue(db, anOwner, { today, after: null }))),
    ...(await faultsOf(() => paymentsToReview(db, { part: 'to-do', since: new Date('2025-06-10T00:00:00Z') }))),
    ...(await faultsOf(() => paymentsToReview(db, { part: 'others', since: new Date('2025-06-10T00:00:00Z') }))),
    ...(await faultsOf(async () => reportAt('owed')?.read(db, anOwner, period, now, part) ?? expect.unreachable())),
  ];
  expect(faults).toEqual([]);
});
