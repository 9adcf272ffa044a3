// @module-tag torture
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changesInWords } from '#app/audit/details-in-words.ts';
import { readTrace } from '#app/audit/trace.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { runScript } from '#scripts/support/program.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { openBrowser } from '#tests/support/sign-in.ts';
import { carriedBy, signInStaff } from '#tests/support/staff.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let printed = '';
let academy: AcademyApp;

// Before the morning on which a day of the demonstration begins.
const today = '2025-11-22T02:00';
const demo = (env: Record<string, string> = {}) =>
  runScript('demo.ts', ['--weeks', '2', '--seed', '7'], {
    DATABASE_URL: connectionUrl(database.connection),
    TODAY: today,
    PORT: '3000',
    ...env,
  });

beforeAll(async () => {
  database = await createTestDatabase('template');
  const run = demo();
  const status = await run.end();
  printed = run.output();
  expect(status, printed).toBe(0);
  academy = await openAcademyApp({ on: database, now: new Date(`${today}:30+10:00`) });
});
afterAll(async () => {
  await academy?.close();
  await database.drop();
});

test('P86: a demonstration is made by the rules: documents, payments, seats and times agree', async () => {
  const { db } = database;
  const { rows: enrolments } = await sql<{ listed: number; counted: number }>`
    select index.balance_cents as listed, (
      coalesce((select sum(total_cents) from tax_invoices where enrolment_id = one.id), 0)
      - coalesce((select sum(note.total_cents) from adjustment_notes note
          join tax_invoices invoice on invoice.id = note.tax_invoice_id where invoice.enrolment_id = one.id), 0)
      - coalesce((select sum(amount_cents) from payments where enrolment_id = one.id), 0)
      + coalesce((select sum(refund.amount_cents) from refunds refund join payments payment
          on payment.id = refund.payment_id where payment.enrolment_id = one.id and refund.state = 'sent'), 0))::integer as counted
    from enrolments one join enrolment_list index on index.enrolment_id = one.id`.execute(db);
  expect(enrolments.length).toBeGreaterThan(15);
  expect(enrolments.filter(({ listed, counted }) => listed !== counted)).toEqual([]);
  expect(enrolments.some(({ counted }) => counted === 0)).toBe(true);

  const { rows: oversold } = await sql`
    select slug from course_dates where capacity <
      (select count(*) from places where course_date_id = course_dates.id and state <> 'cancelled')`.execute(db);
  expect(oversold).toEqual([]);
  const { rows: numbers } = await sql<{ number: number }>`select number from tax_invoices order by number`.execute(db);
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, at) => at + 1));

  const { rows: late } = await sql`select 1 from enrolments where placed_at > ${`${today}:00+10:00`}::timestamptz
    or placed_at < '2025-11-07T00:00:00+10:00'`.execute(db);
  expect(late).toEqual([]);
  const { rows: tooLate } =
    // The program's clock runs on while the demonstration is made.
    await sql`select kind from mails where settled_at > ${`${today}:00+10:00`}::timestamptz + interval '1 hour'`.execute(
      db,
    );
  expect(tooLate).toEqual([]);
  // No mail is left to be sent, and none went out.
  expect(await db.selectFrom('mails').select('state').distinct().execute()).toEqual([{ state: 'sent' }]);
  expect(await db.selectFrom('mail_attempts').selectAll().execute()).toEqual([]);
});

test('P69: the trace names people and enrolments, not their numbers in the database', async () => {
  const filter = { who: null, kind: null, about: null, from: null, to: null };
  const entries = await readTrace(database.db, filter, { before: null, limit: 5000 });
  const people = entries.filter(({ subject }) => subject.startsWith('person:'));
  expect(people.length).toBeGreaterThan(5);
  expect(people.filter(({ person }) => !person)).toEqual([]);
  const told = entries.flatMap(({ changes }) => changesInWords(changes));
  expect(told.filter((line) => / for BB-[A-Z0-9]{6}, received /.test(line)).length).toBeGreaterThan(0);
  expect(told.filter((line) => /enrolment:? \d|^b b-|: \d+ → \d{4,}/.test(line))).toEqual([]);
});

test('P85: visitors read pages of courses, begin to enrol, and search for what is not there', async () => {
  const { db } = database;
  const { rows: days } = await sql<{ days: number; reads: number; begun: number }>`
    select count(distinct day)::integer as days, sum(reads)::integer as reads, sum(begun)::integer as begun
    from course_days`.execute(db);
  const [{ days: seen, reads, begun } = { days: 0, reads: 0, begun: 0 }] = days;
  expect(seen).toBeGreaterThan(13);
  expect(reads).toBeGreaterThan(500);
  expect(begun).toBeGreaterThan(await enrolmentsPlaced());
  expect(reads).toBeGreaterThan(5 * begun);
  const { rows: lost } = await sql<{ asked: number }>`
    select coalesce(sum(asked), 0)::integer as asked from lost_searches`.execute(db);
  expect(lost[0]?.asked).toBeGreaterThan(5);
});

async function enrolmentsPlaced(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from enrolments`.execute(database.db);
  return rows[0]?.count ?? 0;
}

test('P86: each printed link signs in once, as its role', async () => {
  const links = [...printed.matchAll(/^(\w+): (.+)\nhttp:\/\/localhost:3000(\S+)(?:\nsecond step: (\S+))?/gm)];
  expect(links.map(([, who]) => who)).toEqual(['owner', 'admissions', 'editor', 'reader', 'instructor', 'player']);
  // By a clock at which the last of them was there: a busy machine takes minutes to make the demonstration.
  const { rows } = await sql<{ last: Date }>`select max(asked_at) as last from sign_in_asks`.execute(database.db);
  academy.setNow(rows[0]?.last ?? academy.now());
  for (const [, who = '', name = '', link = '', code] of links) {
    const browser = openBrowser(academy);
    const token = new URLSearchParams(link.slice(link.indexOf('?'))).get('token') ?? '';
    const entered = await browser.post(link.slice(0, link.indexOf('?')), { token });
    expect([who, entered.status]).toEqual([who, 303]);
    if (code === undefined) {
      expect((await browser.get('/account')).status).toBe(200);
      continue;
    }
    expect((await browser.post('/staff/sign-in/factor', { code })).status).toBe(303);
    // An instructor has one thing to do today, and is led there.
    const page = await browser.get('/staff/today');
    expect([who, page.status, (await page.text()).includes(name)]).toEqual([who, 200, true]);
  }
});

test('P83: the accountant’s files of the quarter equal the ledger to the cent, for each enrolment and together', async () => {
  const ledger = await sql<{ reference: string; cents: number }>`
    select reference, balance_cents as cents from enrolments join enrolment_list on enrolment_id = enrolments.id`.execute(
    database.db,
  );
  const { rows: sums } = await sql<{ invoiced: number; noted: number; cash: number }>`select
    (select sum(total_cents) from tax_invoices)::integer as invoiced,
    (select coalesce(sum(total_cents), 0) from adjustment_notes)::integer as noted,
    ((select sum(amount_cents) from payments)
      - (select coalesce(sum(amount_cents), 0) from refunds where state = 'sent'))::integer as cash`.execute(
    database.db,
  );
  const accountant = await signInStaff(academy, 'books@example.com', 'Olive Booker');
  const page = '/staff/money/accountant';
  const html = async (address: string) => (await accountant.get(address)).text();
  const kinds = { 'tax-invoice': 'Tax invoices', 'adjustment-note': 'Adjustment notes' };
  for (const [kind, many] of Object.entries(kinds)) {
    const shown = await html(page);
    if (shown.includes(`${many}: all are in a file`)) continue;
    const fields = { ...carriedBy(shown, 'make'), kind, until: today.slice(0, 10), account: '200' };
    expect([kind, (await accountant.post(page, fields)).status]).toEqual([kind, 303]);
  }
  const left = new Map<string, number>();
  const add = (reference: string, cents: number) => left.set(reference, (left.get(reference) ?? 0) + cents);
  const together = { invoiced: 0, noted: 0, cash: 0 };
  for (const [, file = ''] of (await html(page)).matchAll(/href="([^"]*xero\.csv\?id=\d+)"/g)) {
    for (const row of csvRows(await html(file))) {
      const cents = centsIn(row['*UnitAmount']) * Number(row['*Quantity']);
      add(row.Reference?.split(',')[0] ?? '', cents);
      if (row['*InvoiceNumber']?.startsWith('INV')) together.invoiced += cents;
      else together.noted -= cents;
    }
  }
  for (const row of csvRows(await html('/staff/cash.csv?from=2025-10-01&to=2025-12-31'))) {
    add(row.Reference ?? '', -centsIn(row['*Amount']));
    together.cash += centsIn(row['*Amount']);
  }
  expect(together).toEqual(sums[0]);
  left.delete('not matched');
  expect(Object.fromEntries(left)).toEqual(
    Object.fromEntries(
      ledger.rows.filter(({ reference }) => left.has(reference)).map((one) => [one.reference, one.cents]),
    ),
  );
  expect(ledger.rows.filter(({ reference, cents }) => cents !== 0 && !left.has(reference))).toEqual([]);
  const bas = (await html('/staff/money/bas?quarter=2025-10')).replaceAll(/<[^>]*>/g, ' ');
  expect(bas).toContain(((sums[0]?.invoiced ?? 0) / 100).toLocaleString('en-AU', { minimumFractionDigits: 2 }));
});

const centsIn = (dollars = '') => Math.round(Number(dollars) * 100);

/** The rows of a file by the names of its columns. */
function csvRows(text: string): Record<string, string>[] {
  const cellsOf = (line: string) =>
    [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const [head = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n');
  const names = cellsOf(head);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

test('P86: a demonstration never touches what is in use, nor a mail server', async () => {
  const again = demo();
  expect(await again.end()).toBe(2);
  expect(again.output()).toMatch(/There are \d+ enrolments in .+ needs an empty database/);
  const mailing = demo({ SMTP_URL: 'smtp://mail.example.com' });
  expect(await mailing.end()).toBe(2);
  expect(mailing.output()).toContain('SMTP_URL is set');
});
