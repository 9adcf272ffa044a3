import { sql } from 'kysely';
import { expect } from 'vitest';
import { addDays, type Day, earliest } from './calendar.ts';
import { firstDayOf, type Invoice, notTooSoon, printedDue } from './promises.ts';
import { type Books, owed } from './stage.ts';
import { charge, type Enrolment } from './world.ts';

type Facts = { number: string; issuedOn: Day; dueOn: Day; replaces: string | null };

/**
 * Reads the documents issued since the last time, checks the day that is printed on each and what all of them charge for
 * each place, and then what of them is open and due: for every enrolment, or for those for which that should have changed.
 */
export async function promisesAgree(books: Books, whom: 'all' | 'changed' = 'changed'): Promise<void> {
  const { world } = books;
  await learnInvoices(books);
  await learnNotes(books);
  for (const enrolment of world.enrolments) placesAreCharged(books, enrolment);
  await dueAgrees(books, whom);
  for (const enrolment of world.enrolments) books.promises.settle(enrolment);
}

async function learnInvoices({ db, world, promises }: Books): Promise<void> {
  for (const place of world.places) promises.places.set(place.id, place);
  const known = [...promises.invoices.values()].flat().map(({ number }) => number);
  const { rows } = await sql<{ enrolment: number; facts: Facts; lines: { place: number; cents: number }[] }>`
    select enrolment_id as enrolment, facts, (select jsonb_agg(
        jsonb_build_object('place', place_id, 'cents', amount_cents) order by position)
      from tax_invoice_lines where tax_invoice_id = invoice.id) as lines
    from tax_invoices invoice where facts ->> 'number' <> all(${known}) order by number`.execute(db);
  for (const { enrolment: id, facts, lines } of rows) {
    const enrolment = world.enrolments.find((one) => one.id === id);
    if (!enrolment) throw new Error(`${facts.number} is for nobody`);
    const its = lines.map(({ place: placeId, cents }) => {
      const place = promises.places.get(placeId);
      if (!place) throw new Error(`${facts.number} is for a place that nobody has`);
      return { place, amount: cents, left: cents };
    });
    const before = promises.of(enrolment).find(({ number }) => number === facts.replaces);
    const first = earliest(its.flatMap(({ place }) => firstDayOf(place) ?? [])) ?? null;
    const printed = before ? notTooSoon(world.today, before.printed) : printedDue(world.today, first);
    expect({ number: facts.number, issuedOn: facts.issuedOn, due: facts.dueOn }).toEqual({
      number: facts.number,
      issuedOn: world.today,
      due: printed,
    });
    const invoice: Invoice = {
      number: facts.number,
      debt: before?.debt ?? facts.number,
      issuedOn: world.today,
      printed,
      lines: its,
    };
    promises.invoices.set(enrolment, [...promises.of(enrolment), invoice]);
  }
}

async function learnNotes({ db, promises }: Books): Promise<void> {
  const { rows } = await sql<{ number: string; position: number; cents: number }>`
    select invoice.facts ->> 'number' as number, credit.invoice_position as position, sum(credit.amount_cents)::integer as cents
    from adjustment_note_lines credit join adjustment_notes note on note.id = adjustment_note_id
      join tax_invoices invoice on invoice.id = tax_invoice_id
    group by 1, 2`.execute(db);
  for (const { number, lines } of [...promises.invoices.values()].flat()) {
    for (const [at, line] of lines.entries()) {
      const credit = rows.find((row) => row.number === number && row.position === at + 1);
      line.left = line.amount - (credit?.cents ?? 0);
    }
  }
}

/** Invoices less notes charge for each place what the terms say, and nothing for one without a date (P38, P40). */
function placesAreCharged({ promises }: Books, enrolment: Enrolment): void {
  const lines = promises.of(enrolment).flatMap((invoice) => invoice.lines);
  const charged = enrolment.places.map((place) => ({
    place: place.id,
    cents: lines.filter((line) => line.place === place).reduce((sum, { left }) => sum + left, 0),
  }));
  expect(charged, enrolment.reference).toEqual(
    enrolment.places.map((place) => ({ place: place.id, cents: place.way === 'next-date' ? 0 : charge(place) })),
  );
}

/** What should be open and due, as it was last compared. */
const compared = new WeakMap<Enrolment, string>();

/** What is open and due of each invoice, and the balance (P39). */
async function dueAgrees({ db, world, promises }: Books, whom: 'all' | 'changed'): Promise<void> {
  const expected = new Map(world.enrolments.map((enrolment) => [enrolment, promises.open(enrolment)]));
  const asked = world.enrolments.filter((enrolment) => {
    const before = compared.get(enrolment);
    compared.set(enrolment, JSON.stringify(expected.get(enrolment)));
    return whom === 'all' || before !== compared.get(enrolment);
  });
  const { rows } = await sql<{ id: number; number: string; due: Day | null } & Record<string, unknown>>`
    select e.id, i.facts ->> 'number' as number, coalesce(instalments.position, 0) as instalment, its.due_on as due,
      open_cents as open, due_cents as "dueCents", asked_cents as asked, choosing_cents as choosing
    from enrolments e cross join lateral open_invoices(e.id) as its join tax_invoices i on i.id = tax_invoice_id
      left join instalments on instalments.id = instalment_id
    where e.id = any(${asked.map(({ id }) => id)})
    order by i.number, instalment`.execute(db);
  for (const enrolment of asked) {
    const found = rows.filter(({ id }) => id === enrolment.id).map(({ id: _, ...row }) => row);
    const open = expected.get(enrolment) ?? [];
    expect(found, `${enrolment.reference} on ${world.today}`).toEqual(open);
    // What went back twice, through a refund and a dispute, is owed on no invoice (decision 149).
    const again = Math.max(0, enrolment.refunded - enrolment.paid);
    expect(open.reduce((sum, one) => sum + one.open, again)).toBe(Math.max(0, owed(enrolment)));
  }
}

/** `Monday 1 March 2027`, as mails write it. */
export const dayInWords = (day: Day) =>
  new Intl.DateTimeFormat('en-AU', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
    .format(new Date(`${addDays(day, 0)}T00:00:00Z`))
    .replace(',', '');
