import { type RawBuilder, sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';

/**
 * Why staff should look at a payment (P39), by what was owed as it was recorded: `too-large` is more than that, `double`
 * is a too large one of the same amount as an earlier one, `too-small` leaves a part of an invoice or an agreed instalment
 * open, and `cancelled` came after every place was cancelled.
 */
export type Oddity = 'unmatched' | 'too-small' | 'too-large' | 'double' | 'late' | 'cancelled';

export type OddPayment = {
  id: number;
  enrolmentId: number | null;
  reference: string | null;
  /** Its buyer and course. */
  buyer: string | null;
  amountCents: Cents;
  currency: string;
  receivedOn: Day;
  words: string | null;
  /** The balance of its enrolment now; below zero, the academy owes the buyer. */
  balanceCents: Cents;
  /** Why staff set it aside; null when they did not. */
  setAsideWhy: string | null;
  why: Oddity[];
};

type Row = Omit<OddPayment, 'why'> & {
  isLarge: boolean;
  isSmall: boolean;
  isLate: boolean;
  isDouble: boolean;
  isCancelled: boolean;
};

/** The amount owed on the enrolment of `payment` when the payment was recorded, without it. */
const owedThen = sql`(
  select coalesce((select sum(total_cents) from tax_invoices
      where enrolment_id = payment.enrolment_id and created_at <= payment.recorded_at), 0)
    - coalesce((select sum(note.total_cents) from adjustment_notes note
      join tax_invoices invoice on invoice.id = note.tax_invoice_id
      where invoice.enrolment_id = payment.enrolment_id and note.created_at <= payment.recorded_at), 0)
    - coalesce((select sum(amount_cents) from payments
      where enrolment_id = payment.enrolment_id and id < payment.id), 0)
    + coalesce((select sum(refund.amount_cents) from refunds refund join payments its on its.id = refund.payment_id
      where its.enrolment_id = payment.enrolment_id and refund.state = 'sent'
        and refund.recorded_at <= payment.recorded_at), 0))`;

/**
 * Whether the amount owed now is whole invoices and whole instalments: a buyer who pays one of them has paid what was
 * asked for. Instalments are paid in their order.
 */
const wholePartsOwed = sql`not exists (
  select from debts_of(payment.enrolment_id) as its
  where paid_cents > 0 and paid_cents < net_cents and net_cents - paid_cents not in (
    select least(net_cents, sum(amount_cents) over (order by position desc))
    from instalments
    where enrolment_id = payment.enrolment_id and instalments.debt = its.debt and ended_at is null))`;

/** Whether `payment` came after the day on which something was due. */
const isLate = sql`(
  select not waits and received_on > greatest(decided_on, coalesce(
    -- Of what was agreed before it came: the first instalment that the payments since had not covered.
    (select min(due_on) from (
      select due_on, sum(amount_cents) over (order by due_on, id) as up_to_it, agreed_at from instalments
      where enrolment_id = payment.enrolment_id and ended_at is null and agreed_at <= payment.recorded_at
    ) as agreed where up_to_it > (
      select coalesce(sum(earlier.amount_cents), 0) from payments earlier
      where earlier.enrolment_id = payment.enrolment_id and earlier.id < payment.id
        and earlier.recorded_at >= agreed.agreed_at
    )),
    (select max((facts ->> 'dueOn')::date) from tax_invoices where enrolment_id = payment.enrolment_id)
  )) is true
  from (
    -- Nothing is due while a date waits for its decision, nor before the day of that decision. open_invoices has the
    -- same rule, but of what is open now; a payment is late or not by what was due on the day it came.
    select coalesce(bool_or(place.state = 'active' and course_date.state = 'tentative'), false) as waits,
      max(least(course_date.confirmed_on, (place.cancelled_at at time zone 'Australia/Brisbane')::date)) as decided_on
    from places place join course_dates course_date on course_date.id = place.course_date_id
    where place.enrolment_id = payment.enrolment_id
      and (course_date.decided_by is not null or course_date.confirmed_on is not null)
  ) as decision)`;

/** Whether every place of its enrolment was cancelled when `payment` was recorded. A place that moved goes on as another. */
const isCancelled = sql`(payment.enrolment_id is not null and not exists (
  select from places where enrolment_id = payment.enrolment_id
    and (cancelled_at is null or cancelled_at > payment.recorded_at)))`;

/** Whether `payment` was too high or too low, and is not settled yet. `offset 0` has each computed once. */
const judged = sql`(
  select case when balance_cents < 0 then payment.amount_cents > ${owedThen} else false end as is_large,
    case when balance_cents > 0 then not exists (select from payments later
        where later.enrolment_id = payment.enrolment_id and later.id > payment.id)
      and payment.amount_cents < ${owedThen} and not ${wholePartsOwed}
    else false end as is_small
  offset 0)`;

const columns = sql`payment.id, payment.enrolment_id, payment.amount_cents, payment.currency, payment.received_on,
  payment.recorded_at, payment.words, payment.set_aside_why`;

type Page = { since: Date; before: number | null; most: number };

const pageOf = ({ before, most }: Page) => sql`and (${before}::bigint is null or payment.id < ${before})
  order by payment.id desc limit ${most + 1}`;

const unmatched = (page: Page) => sql`
  select ${columns}, 0 as balance_cents, false as is_large, false as is_small
  from payments payment where payment.enrolment_id is null and payment.set_aside_at is null ${pageOf(page)}`;

/** No payments for the academy. */
const aside = (page: Page) => sql`
  select ${columns}, 0 as balance_cents, false as is_large, false as is_small
  from payments payment where payment.set_aside_at is not null and payment.recorded_at >= ${page.since} ${pageOf(page)}`;

/** The payments of enrolments that are owed something or owe something are few: they are put in order before any is judged. */
const uneven = (page: Page) => sql`
  select payment.*, is_large, is_small
  from (
    select payment.*, balance_cents
    from enrolment_list list cross join lateral (
      select ${columns} from payments payment
      where enrolment_id = list.enrolment_id and recorded_at >= ${page.since}
        and (${page.before}::bigint is null or id < ${page.before})
      offset 0
    ) as payment
    where balance_cents <> 0 and paid_by <> '{}'
    order by payment.id desc offset 0
  ) as payment cross join lateral ${judged} as judged
  where (is_large or is_small) ${pageOf(page)}`;

/** The others that came late, or after every place was cancelled. */
const others = (page: Page) => sql`
  select ${columns}, balance_cents, is_large, is_small
  from payments payment join enrolment_list list on list.enrolment_id = payment.enrolment_id
    cross join lateral ${judged} as judged
  where payment.recorded_at >= ${page.since} and (${isLate} or list.places = 0 and ${isCancelled})
    and not is_large and not is_small ${pageOf(page)}`;

/** Which payments of those to look at: those with something to do, the others, or both. */
export type ReviewPart = 'to-do' | 'others' | 'aside' | 'all';

/**
 * A page of the payments for staff to review, the latest first (P39). `to-do`: payments without an enrolment, and
 * payments recorded since an instant that were too low or too high and are not settled. A correct payment is not
 * listed, whatever happens to its enrolment later, because refunds have a list of their own. `others`: payments that
 * came late, or after every place was cancelled. `aside`: payments that staff set aside, which are not the academy's.
 * `before` is the id of the last payment on the page before; `next` is the id for the next page, null when there is
 * none.
 */
export async function paymentsToReview(
  db: Db,
  { part, since, before = null, most = 50 }: { part: ReviewPart; since: Date; before?: number | null; most?: number },
): Promise<{ payments: OddPayment[]; next: number | null }> {
  const { rows } = await sql<Row>`
    select payment.id, payment.enrolment_id as "enrolmentId", reference,
      coalesce(organisation, buyer_name) || ', ' || title as buyer, payment.amount_cents as "amountCents",
      payment.currency, payment.received_on as "receivedOn", payment.words, payment.balance_cents as "balanceCents",
      payment.set_aside_why as "setAsideWhy",
      is_large as "isLarge", is_small as "isSmall", ${isLate} as "isLate", ${isCancelled} as "isCancelled",
      is_large and exists (select from payments other where other.enrolment_id = payment.enrolment_id
        and other.amount_cents = payment.amount_cents and other.id < payment.id) as "isDouble"
    from (${sql.join(
      parts[part].map((read) => sql`(${read({ since, before, most })})`),
      sql` union all `,
    )}) as payment
    left join enrolments on enrolments.id = payment.enrolment_id
    order by payment.id desc
    limit ${most + 1}`.execute(db);
  const payments = rows
    .slice(0, most)
    .map(({ isLarge, isSmall, isLate, isDouble, isCancelled, ...row }): OddPayment => {
      const why: Oddity[] = [];
      if (row.enrolmentId === null && row.setAsideWhy === null) why.push('unmatched');
      if (isSmall) why.push('too-small');
      if (isLarge) why.push('too-large');
      if (isDouble) why.push('double');
      if (isLate) why.push('late');
      if (isCancelled) why.push('cancelled');
      return { ...row, why };
    });
  return { payments, next: rows.length > most ? (payments.at(-1)?.id ?? null) : null };
}

const parts: Record<ReviewPart, readonly ((page: Page) => RawBuilder<unknown>)[]> = {
  'to-do': [unmatched, uneven],
  aside: [aside],
  others: [others],
  all: [unmatched, uneven, others],
};

type By = { paymentId: number; actor: Actor; at: Date };
/**
 * `not-alone`: a part of it belongs to an enrolment or was refunded, or it came by card. `changed`: it is in that state
 * already.
 */
export type SetAside = { ok: true } | { ok: false; reason: 'missing' | 'not-alone' | 'changed' };

/**
 * Sets a bank payment aside that is no payment for the academy, such as a payout of Stripe (P83). No list and no figure
 * has it then; its line of the statement stays known.
 */
export async function setPaymentAside(trx: Trx, { why, ...by }: By & { why: string }): Promise<SetAside> {
  requirePermission(by.actor, 'money:record');
  const payment = await lockPayment(trx, by.paymentId);
  if (!payment) return { ok: false, reason: 'missing' };
  if (payment.set_aside_at) return { ok: false, reason: 'changed' };
  const { enrolment_id, part_of, arrived_cents, method, isRefunded } = payment;
  const isAlone = enrolment_id === null && part_of === null && arrived_cents === null && !isRefunded;
  if (!isAlone || method !== 'bank') return { ok: false, reason: 'not-alone' };
  await trx
    .updateTable('payments')
    .set({ set_aside_at: by.at, set_aside_by: personIdOf(by.actor), set_aside_why: why })
    .where('id', '=', by.paymentId)
    .execute();
  await audit(trx, by, 'set-payment-aside');
  return { ok: true };
}

/** Makes a payment that was set aside one without an enrolment again. */
export async function bringPaymentBack(trx: Trx, by: By): Promise<SetAside> {
  requirePermission(by.actor, 'money:record');
  const payment = await lockPayment(trx, by.paymentId);
  if (!payment) return { ok: false, reason: 'missing' };
  if (!payment.set_aside_at) return { ok: false, reason: 'changed' };
  await trx
    .updateTable('payments')
    .set({ set_aside_at: null, set_aside_by: null, set_aside_why: null })
    .where('id', '=', by.paymentId)
    .execute();
  await audit(trx, by, 'bring-payment-back');
  return { ok: true };
}

async function lockPayment(trx: Trx, id: number) {
  const payment = await trx
    .selectFrom('payments')
    .select(['enrolment_id', 'part_of', 'arrived_cents', 'method', 'set_aside_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  const refund = trx.selectFrom('refunds').select('id').where('payment_id', '=', id);
  return payment && { ...payment, isRefunded: (await refund.executeTakeFirst()) !== undefined };
}

const audit = (trx: Trx, { paymentId, actor, at }: By, action: string) =>
  writeAuditEntry(trx, { at, personId: personIdOf(actor), action, subject: `payment:${paymentId}` });
