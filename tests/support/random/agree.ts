import { sql } from 'kysely';
import { formatMoney } from '#app/lib/money.ts';
import { miscountedCourseDates } from '#tests/support/enrolments.ts';
import { openForm, type Stage, wordsOf } from './stage.ts';

/** Throws with both values when they differ. */
export function same(what: string, program: unknown, model: unknown): void {
  const [its, ours] = [JSON.stringify(program), JSON.stringify(model)];
  if (its !== ours) throw new Error(`${what}\n  program: ${its}\n  model:   ${ours}`);
}

/** Compares two lists by a key, and names only what differs. */
function sameRows(what: string, program: readonly object[], model: readonly object[]): void {
  const [its, ours] = [program, model].map((rows) => rows.map((row) => JSON.stringify(row)));
  const [mine, theirs] = [new Set(ours), new Set(its)];
  same(what, its?.filter((row) => !mine.has(row)).sort(), ours?.filter((row) => !theirs.has(row)).sort());
}

/** The database and the model agree on everything, and the invariants hold. */
export async function agree(stage: Stage): Promise<void> {
  await datesAgree(stage);
  await placesAgree(stage);
  await moneyAgrees(stage);
  await listsAgree(stage);
  await quotesAgree(stage);
  await alwaysTrue(stage);
}

/** P27: what is sold and offered of each date, never more than its seats. */
async function datesAgree({ db, model }: Stage): Promise<void> {
  const rows = await db
    .selectFrom('course_dates as s')
    .innerJoin('course_date_seats as c', 'c.course_date_id', 's.id')
    .select(['s.slug', 's.state', 's.starts_on', 's.capacity', 'c.sold', 'c.offered', 'c.held'])
    .where(
      's.id',
      'in',
      model.dates.map(({ id }) => id),
    )
    .execute();
  for (const row of rows) if (row.sold + row.offered + row.held > row.capacity) same('oversold', row, null);
  const dates = model.dates.map((date) => ({
    ...{ slug: date.slug, state: date.state, starts_on: date.startsOn, capacity: date.capacity },
    ...{ sold: model.sold(date), offered: model.offered(date), held: model.held(date) },
  }));
  sameRows('seats of dates', rows, dates);
}

/** Who has which place, on which date, and until when they choose. */
async function placesAgree({ db, model }: Stage): Promise<void> {
  const rows = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['places.id', 'attendees.name', 'course_date_id as date', 'choose_by'])
    .where('state', '=', 'active')
    .execute();
  const places = model.places
    .filter(({ active }) => active)
    .map(({ id, who, date, chooseBy }) => ({ id, name: who, date: date?.id ?? null, choose_by: chooseBy }));
  sameRows('places', rows, places);
}

/** P30, P39: invoices, notes, payments and what is owed of each enrolment. */
async function moneyAgrees({ db, model }: Stage): Promise<void> {
  const { rows } = await sql<object>`
    select e.reference,
      (select coalesce(sum(total_cents), 0) from tax_invoices where enrolment_id = e.id)::integer as invoiced,
      (select coalesce(sum(n.total_cents), 0) from adjustment_notes n join tax_invoices i on i.id = n.tax_invoice_id
        where i.enrolment_id = e.id)::integer as credited,
      paid_for(e.id)::integer as paid, l.balance_cents::integer as owed
    from enrolments e join enrolment_list l on l.enrolment_id = e.id`.execute(db);
  const enrolments = model.enrolments.map((one) => ({
    ...{ reference: one.reference, invoiced: one.invoiced, credited: one.invoiced - model.charged(one) },
    ...{ paid: one.paid - one.refunded, owed: model.owed(one) },
  }));
  sameRows('money of enrolments', rows, enrolments);
}

/** P48: each entry waits, has its offer, or is closed for the same reason. */
async function listsAgree({ db, model }: Stage): Promise<void> {
  const rows = await db
    .selectFrom('waiting_entries as w')
    .leftJoin('waiting_offers as o', (on) => on.onRef('o.entry_id', '=', 'w.id').on('o.ended_at', 'is', null))
    .leftJoin('seat_holds as h', 'h.id', 'o.hold_id')
    .select(['w.email', 'w.seats', 'w.closed_why', 'o.seats as offered', 'h.expires_at'])
    .execute();
  const found = rows.map(({ closed_why, offered, expires_at, email, seats }) => ({
    ...{ email, seats, state: closed_why ?? (offered === null ? 'waiting' : 'offered') },
    until: offered === null ? null : (expires_at?.getTime() ?? 0),
  }));
  const entries = model.entries.map((entry) => ({
    ...{ email: entry.email, seats: entry.seats, state: entry.state },
    until: entry.state === 'offered' ? model.endOf(entry) : null,
  }));
  sameRows('waiting lists', found, entries);
}

/** P111: each quote is open or has ended in the same way, for the same sum. */
async function quotesAgree({ db, model }: Stage): Promise<void> {
  const rows = await db
    .selectFrom('offers')
    .select(['email', 'state', 'people', 'last_day', 'total_cents as cents'])
    .execute();
  const quotes = model.quotes.map(({ email, state, people, lastDay, price }) => ({
    ...{ email, state, people, last_day: lastDay, cents: price * people },
  }));
  sameRows('quotes', rows, quotes);
}

async function alwaysTrue({ db }: Stage): Promise<void> {
  same('counters of seats and their movements', await miscountedCourseDates(db), []);
  const empty = async (what: string, query: ReturnType<typeof sql>) => same(what, (await query.execute(db)).rows, []);
  await empty(
    'places without their one seat, or others with one',
    sql`select p.id from places p left join seat_movements m on m.place_id = p.id group by p.id
      having coalesce(sum(m.seats), 0) <> case when p.way = 'date' and p.state <> 'cancelled' then 1 else 0 end`,
  );
  await empty(
    'invoices with more credited than charged, or whose GST is not an eleventh of what is left',
    sql`select i.number from tax_invoices i left join adjustment_notes n on n.tax_invoice_id = i.id group by i.id
      having coalesce(sum(n.total_cents), 0) > i.total_cents or i.gst_cents - coalesce(sum(n.gst_cents), 0)
        <> round((i.total_cents - coalesce(sum(n.total_cents), 0)) / 11.0)`,
  );
  await empty(
    'payments of which more went back than came in',
    sql`select p.id from payments p join refunds r on r.payment_id = p.id where r.state = 'sent' group by p.id
      having sum(r.amount_cents) > p.amount_cents`,
  );
  await empty(
    'enrolments without an invoice',
    sql`select reference from enrolments e where not exists (select from tax_invoices where enrolment_id = e.id)`,
  );
  await empty(
    'documents with a gap in their numbers',
    sql`select max(number) from tax_invoices having max(number) <> count(*)
      union all select max(number) from adjustment_notes having max(number) <> count(*)`,
  );
  await empty('jobs that failed', sql`select * from job_faults`);
}

/** The page of a buyer says what is owed, and that for cancelling what all of it gives back now, to the cent (P31). */
export async function pagesAgree(stage: Stage): Promise<void> {
  const { academy, model, draw } = stage;
  for (const enrolment of [draw.of(model.atEdge()), draw.of(model.enrolments)]) {
    if (!enrolment) continue;
    const page = `/enrolment/${enrolment.token}`;
    const words = await wordsOf(await academy.request(page));
    const owed = model.owed(enrolment);
    const amount = `${formatMoney(owed)} incl. GST`;
    if (owed > 0) same(`${enrolment.reference}: ${words}`, [amount, words.includes(amount)], [amount, true]);
    const open = model.purchasesOf(enrolment).filter((one) => model.mayCancel(one));
    const places = open.map(({ goes }) => ['place', String(goes.map(({ id }) => id))]);
    const { own } = await openForm(stage, `${page}/cancel?${new URLSearchParams(places)}`, 'cancel-form');
    const cents = open.map((one) => model.refundOf(enrolment, one)).reduce((sum, one) => sum + one, 0);
    same(`refund of ${enrolment.reference}`, own.shown ?? null, open.length > 0 ? String(cents) : null);
  }
}
