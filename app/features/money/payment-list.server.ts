import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { everyRow, type Keyset, listedPage } from '#app/db/keyset.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { dayTyped } from '#app/lib/day-text.ts';
import { centsTyped } from '#app/lib/exact-money.ts';
import type { Cents } from '#app/lib/money.ts';
import type { ListView } from '#app/ui/staff/list-address.ts';

const pageLength = 50;

type PaymentView = Pick<ListView<unknown, keyof typeof keys>, 'search' | 'sort' | 'descending' | 'cursor'>;

/** A payment, or a part of one that was divided. */
export type ListedPayment = {
  id: number;
  amountCents: Cents;
  currency: string;
  receivedOn: Day;
  method: string;
  words: string | null;
  reference: string | null;
  buyer: string | null;
  title: string | null;
  /** The balance of its enrolment now; below zero, the academy owes the buyer. */
  balanceCents: Cents | null;
  setAside: boolean;
};

/**
 * One page of all payments, found by amount, by day (`26 Nov`, `26/11/2026`), or by words of the transfer or of the
 * enrolment (P83).
 */
export async function listPayments(db: Db, actor: StaffActor, view: PaymentView, today: Day) {
  requirePermission(actor, 'money:read');
  const reading = { ...view, length: pageLength };
  return listedPage(db, paymentKeyset(view, today), reading, (ids) => readPayments(db, ids));
}

/** All payments of a view, in pieces, for a file. */
export async function* everyPayment(db: Db, actor: StaffActor, view: PaymentView, today: Day) {
  requirePermission(actor, 'money:read');
  yield* everyRow(db, paymentKeyset(view, today), view, (ids) => readPayments(db, ids));
}

const keys = {
  received: { key: sql`payments.received_on`, kind: 'day' },
  amount: { key: sql`payments.amount_cents`, kind: 'whole' },
} as const;

function paymentKeyset({ search, sort }: PaymentView, today: Day): Keyset {
  return { from: sql`payments`, ...keys[sort], id: sql`payments.id`, where: search ? [found(search, today)] : [] };
}

function found(search: string, today: Day) {
  const day = dayTyped(search, today);
  if (day) return sql`payments.received_on = ${day}::date`;
  const cents = centsTyped(search);
  const amount =
    cents === null ? sql`false` : sql`(payments.amount_cents = ${cents} or payments.arrived_cents = ${cents})`;
  const words = search.toLowerCase().split(/\s+/);
  const inWords = words.map((word) => sql`strpos(lower(payments.words), ${word}) > 0`);
  const named = wordsFit(search, sql`list.words`) ?? sql`false`;
  return sql`(${amount} or (${sql.join(inWords, sql` and `)})
    or payments.enrolment_id in (select enrolment_id from enrolment_list list where ${named}))`;
}

async function readPayments(db: Db, ids: readonly number[]): Promise<ListedPayment[]> {
  const { rows } = await sql<ListedPayment>`
    select payments.id, amount_cents as "amountCents", currency, received_on as "receivedOn", method, payments.words,
      reference, coalesce(organisation, buyer_name) as buyer, title, balance_cents::integer as "balanceCents",
      set_aside_at is not null as "setAside"
    from payments left join enrolments on enrolments.id = payments.enrolment_id
      left join enrolment_list list on list.enrolment_id = payments.enrolment_id
    where payments.id = any(${[...ids]}::bigint[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
