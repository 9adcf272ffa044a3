import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { mostOfAKind, type Needs, needsOf } from '#app/features/inbox/need.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';

/** Money to be matched or sent has no promised time of its own: it has that of a message. */
type At = { holidays: ReadonlySet<Day> };

/** Payments that name no enrolment and were not set aside. */
export async function paymentsToMatch(db: Db, actor: StaffActor, { holidays }: At): Promise<Needs> {
  requirePermission(actor, 'money:read');
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'amount_cents', 'received_on', 'words', 'recorded_at'])
    .where('enrolment_id', 'is', null)
    .where('set_aside_at', 'is', null)
    .orderBy('id')
    .limit(mostOfAKind + 1)
    .execute();
  return needsOf(rows, { text: 'All payments', to: href('/staff/payments') }, (row) => ({
    kind: 'Payment',
    key: `payment:${row.id}`,
    dueAt: promisedAnswerBy(row.recorded_at, holidays),
    who: showControlCharacters(row.words ?? '') || 'A payment',
    words: `${formatExact(row.amount_cents)} on ${shortDay(row.received_on)} names no enrolment`,
    to: href('/staff/payments/:id', { id: String(row.id) }),
    holder: null,
  }));
}

/** Money that left the bank account and names an enrolment: did the bank take a payment back? */
export async function outgoingToExplain(db: Db, actor: StaffActor, { holidays }: At): Promise<Needs> {
  requirePermission(actor, 'money:read');
  const rows = await db
    .selectFrom('bank_lines')
    .select(['id', 'amount_cents', 'day', 'words', 'recorded_at'])
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(mostOfAKind + 1)
    .execute();
  return needsOf(rows, { text: 'All payments', to: href('/staff/payments') }, (row) => ({
    kind: 'Money out',
    key: `line:${row.id}`,
    dueAt: promisedAnswerBy(row.recorded_at, holidays),
    who: showControlCharacters(row.words ?? '') || 'A bank line',
    words: `${formatExact(Math.abs(row.amount_cents))} went out on ${shortDay(row.day)}: was a payment taken back?`,
    to: href('/staff/payments'),
    holder: null,
  }));
}

/** Buyers to whom the academy owes a refund, since the note, payment or failed refund by which it does. */
export async function refundsToSend(db: Db, actor: StaffActor, { holidays }: At): Promise<Needs> {
  requirePermission(actor, 'money:read');
  const { rows } = await sql<{
    id: number;
    reference: string;
    who: string;
    owed: number;
    failed: boolean;
    since: Date;
  }>`
    select e.id, e.reference, coalesce(e.organisation, e.buyer_name) as who, -i.balance_cents as owed,
      exists (select from payments p join refunds r on r.payment_id = p.id
        where p.enrolment_id = e.id and r.state = 'failed') as failed,
      greatest(
        (select max(n.created_at) from adjustment_notes n
          join tax_invoices t on t.id = n.tax_invoice_id where t.enrolment_id = e.id),
        (select max(p.recorded_at) from payments p where p.enrolment_id = e.id), e.placed_at) as since
    from (select enrolment_id, balance_cents from enrolment_list where balance_cents < 0
        order by enrolment_id limit ${mostOfAKind + 1}) i
      join enrolments e on e.id = i.enrolment_id
    order by e.id`.execute(db);
  return needsOf(rows, { text: 'All refunds', to: `${href('/staff/payments')}?show=refunds` }, (row) => ({
    kind: row.failed ? 'Refund failed' : 'Refund',
    key: `refund:${row.id}`,
    dueAt: promisedAnswerBy(row.since, holidays),
    who: showControlCharacters(row.who),
    words: `${formatExact(row.owed)} to send`,
    to: href('/staff/enrolments/:reference', { reference: row.reference }),
    holder: null,
  }));
}
