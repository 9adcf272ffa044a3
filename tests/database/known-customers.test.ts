import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { placeEnrolment } from '#app/features/enrolments/place-enrolment.server.ts';
import { attendee, makeCourseDate, momentAt, type OrderWish, orderOf, seatIn } from '#tests/support/enrolments.ts';
import { receive } from '#tests/support/money.ts';
import { personOf } from '#tests/support/players.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

/** CISSP, AU$5,499, on dates with many seats, for an organisation whose manager places (P117). */
const opening = momentAt('2025-09-08T09:00');
const payer = { organisation: 'Councilworks', abn: '51824753556', address: null } as const;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('academyTemplate');
});
afterEach(() => database.drop());

type Agreed = { discount_percent?: number; terms_days?: number; credit_seats?: number };

async function agree(agreed: Agreed): Promise<void> {
  const { db } = database;
  const { id } = await db
    .insertInto('organisations')
    .values({ legal_name: 'Councilworks', abn: payer.abn, made_at: opening.now, ...agreed })
    .returning('id')
    .executeTakeFirstOrThrow();
  const manager = { organisation_id: id, person_id: await personOf(db, 'manager@works.example'), since: opening.now };
  await db.insertInto('organisation_managers').values(manager).execute();
}

/** What a manager places for so many people, or why it was not placed. */
async function place(people: number, wish: OrderWish = {}) {
  const { db } = database;
  const date = await makeCourseDate(db, { capacity: 60 });
  const order = await orderOf(db, [seatIn(date)], {
    attendees: Array.from({ length: people }, () => attendee()),
    buyer: { name: 'Ada Byron', email: 'manager@works.example', phone: null },
    payer: { kind: 'organisation', purchaseOrder: null, accountsEmail: null, ...payer },
    ...wish,
  });
  return db.transaction().execute((trx) => placeEnrolment(trx, order, opening));
}

async function invoiceOf(placed: Awaited<ReturnType<typeof place>>): Promise<TaxInvoiceFacts> {
  if (!placed.ok) throw new Error(placed.reason);
  const query = database.db.selectFrom('tax_invoices').select('facts').where('enrolment_id', '=', placed.enrolmentId);
  return (await query.executeTakeFirstOrThrow()).facts as unknown as TaxInvoiceFacts;
}

test('P117: what is agreed applies by itself when a manager enrols, and the invoice names it', async () => {
  await agree({ discount_percent: 10, terms_days: 45 });
  const { totalCents, dueOn, terms, lines } = await invoiceOf(await place(2));
  expect([totalCents, dueOn, terms]).toEqual([989_820, '2025-10-23', 'Agreed with Councilworks: 45 days']);
  expect(lines[0]).toMatchObject({ discountCents: 54_990, discount: 'Agreed with Councilworks: 10% off' });
});

test('P117: nothing is agreed with a stranger who types the ABN', async () => {
  await agree({ discount_percent: 10, terms_days: 45 });
  const stranger = { buyer: { name: 'Eve', email: 'eve@elsewhere.example', phone: null } };
  const { totalCents, terms } = await invoiceOf(await place(1, stranger));
  expect([totalCents, terms]).toEqual([549_900, undefined]);
});

test('P117: one that has paid before is bound by its credit, not by the limits on strangers', async () => {
  await agree({ credit_seats: 10 });
  expect(await place(7)).toMatchObject({ ok: false, reason: 'too-many-unpaid', of: 'buyer' });
  const first = await place(1);
  if (!first.ok) throw new Error(first.reason);
  await receive(database.db, first.enrolmentId, 549_900, opening);
  expect(await place(9)).toMatchObject({ ok: true });
  expect(await place(2)).toMatchObject({ ok: false, of: 'organisation', unpaidSeats: 9, most: 10 });
});
