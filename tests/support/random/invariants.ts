import { sql } from 'kysely';
import { expect } from 'vitest';
import { formatMoney } from '#app/lib/money.ts';
import { promisesAgree } from './documents.ts';
import { type Books, owed, type Stage } from './stage.ts';

/** What must hold after every act, whatever came before. Sums are counted from the tables, not by the program. */
export async function agree(stage: Books): Promise<void> {
  await seatsAgree(stage);
  await numbersAgree(stage);
  await moneyAgrees(stage);
  await placesAgree(stage);
  await cashAgrees(stage);
  await oneSeatEach(stage);
  await promisesAgree(stage);
  await mailsAgree(stage);
}

/** Seats: the ledger's sum is what is sold, never above the capacity, and the counter is the ledger's sum. */
async function seatsAgree({ db, world }: Books): Promise<void> {
  const { rows } = await sql<{
    id: number;
    state: string;
    starts: string;
    sold: number;
    taken: number;
    counted: number;
  }>`
    select s.id::integer as id, s.state, s.starts_on as starts,
      coalesce(sum(m.seats) filter (where m.kind in ('sale', 'cancellation')), 0)::integer as sold,
      coalesce(sum(m.seats), 0)::integer as taken,
      (select sold from session_seats c where c.training_session_id = s.id)::integer as counted
    from training_sessions s left join seat_movements m on m.training_session_id = s.id
    where s.id in (${sql.join(world.sessions.map(({ id }) => id))})
    group by s.id`.execute(db);
  for (const session of world.sessions) {
    const row = rows.find(({ id }) => id === session.id);
    const { sold, state, starts, taken = 0, counted } = row ?? {};
    expect({ slug: session.slug, sold, state, starts }).toEqual({
      slug: session.slug,
      sold: world.sold(session),
      state: session.state,
      starts: session.startsOn,
    });
    expect(taken).toBeLessThanOrEqual(session.capacity);
    expect(counted ?? 0).toBe(sold);
  }
}

/** Numbers of documents have no gap. */
export async function numbersAgree({ db }: Pick<Books, 'db'>): Promise<void> {
  for (const table of ['tax_invoices', 'adjustment_notes'] as const) {
    const rows = await db.selectFrom(table).select('number').orderBy('number').execute();
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
  }
}

/** Invoices less notes are what the model charges; GST is an eleventh of what is left of each invoice. */
async function moneyAgrees({ db, world }: Books): Promise<void> {
  const { rows } = await sql<{ id: number; total: number; left: number; gst: number; lines: number }>`
    select i.enrolment_id::integer as id, i.total_cents as total,
      (i.total_cents - coalesce(sum(n.total_cents), 0))::integer as left,
      (i.gst_cents - coalesce(sum(n.gst_cents), 0))::integer as gst,
      (select sum(amount_cents) from tax_invoice_lines l where l.tax_invoice_id = i.id)::integer as lines
    from tax_invoices i left join adjustment_notes n on n.tax_invoice_id = i.id
    group by i.id`.execute(db);
  for (const { total, left, gst, lines } of rows) {
    expect(lines).toBe(total);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(gst).toBe(Math.round(left / 11));
  }
  for (const enrolment of world.enrolments) {
    const charged = rows.filter(({ id }) => id === enrolment.id).reduce((sum, { left }) => sum + left, 0);
    const expected = owed(enrolment) + enrolment.paid - enrolment.refunded;
    expect({ of: enrolment.reference, charged }).toEqual({ of: enrolment.reference, charged: expected });
  }
}

/** What came in and went out is what the model knows, counted by payment: nothing is lost between two enrolments. */
async function cashAgrees({ db, world }: Books): Promise<void> {
  const { rows } = await sql<{ id: number; cents: number }>`
    select p.enrolment_id::integer as id, sum(p.amount_cents - coalesce(
      (select sum(r.amount_cents) from refunds r where r.payment_id = p.id and r.state = 'sent'), 0))::integer as cents
    from payments p group by 1`.execute(db);
  for (const { id, reference, paid, refunded } of world.enrolments) {
    const cents = rows.find((row) => row.id === id)?.cents ?? 0;
    expect({ of: reference, cents }).toEqual({ of: reference, cents: paid - refunded });
  }
}

/** A place that stands has one seat, in its session alone; any other has none. Silence gives back cancelled dates only. */
export async function oneSeatEach({ db }: Pick<Books, 'db'>): Promise<void> {
  const { rows } = await sql`
    select p.id, p.state, p.way, p.cancelled_why, s.state as session, coalesce(sum(m.seats), 0) as seats
    from places p left join training_sessions s on s.id = p.training_session_id
      left join seat_movements m on m.place_id = p.id
    group by p.id, s.id
    having coalesce(sum(m.seats), 0) <> case when p.way = 'session' and p.state <> 'cancelled' then 1 else 0 end
      or count(distinct m.training_session_id) > 1
      or bool_or(m.training_session_id <> p.training_session_id)
      or (p.cancelled_why = 'lapsed' and s.state <> 'cancelled')`.execute(db);
  expect(rows, 'places and their seats').toEqual([]);
}

/** Each place is in the state that the model knows. */
async function placesAgree({ db, world }: Books): Promise<void> {
  const rows = await db
    .selectFrom('places')
    .select(['id', 'state', 'choose_by', 'training_session_id'])
    .where('state', '=', 'active')
    .execute();
  const expected = world.places
    .filter(({ active }) => active)
    .map(({ id, choice, session }) => ({ id, choose: choice?.by ?? null, session: session?.id ?? null }));
  const found = rows.map(({ id, choose_by, training_session_id }) => ({
    id,
    choose: choose_by,
    session: training_session_id,
  }));
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
}

/** Every document was mailed to its buyer. */
export async function mailsAgree({ db }: Pick<Books, 'db'>): Promise<void> {
  const { rows } = await sql<{ document: string }>`
    select d.document from (
      select 'tax-invoice:' || i.id as document, e.email from tax_invoices i join enrolments e on e.id = i.enrolment_id
      union all
      select 'adjustment-note:' || n.id, e.email from adjustment_notes n
        join tax_invoices i on i.id = n.tax_invoice_id join enrolments e on e.id = i.enrolment_id
    ) d where not exists (select from mails m where m.recipient = d.email
      and m.attachments @> jsonb_build_array(jsonb_build_object('document', d.document)))`.execute(db);
  expect(rows, 'documents that nobody was sent').toEqual([]);
}

/** The buyer's page says what is owed, to the cent. Asked of one enrolment at a time, because it renders a page. */
export async function pageAgrees({ academy, world, draw }: Stage): Promise<void> {
  const enrolment = draw.of(world.enrolments);
  if (!enrolment) return;
  const response = await academy.request(`/enrolment/${enrolment.token}`);
  expect(response.status).toBe(200);
  const text = (await response.text()).replaceAll(/<!--.*?-->/gs, '');
  const cents = owed(enrolment);
  const shown = text
    .slice(text.indexOf('<main'), text.indexOf('</main>'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  if (cents > 0) expect(shown).toContain(`${formatMoney(cents)} incl. GST`);
}
