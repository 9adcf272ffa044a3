import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type MoneyMoved, moneyReceipt } from '#app/emails/money.ts';
import { takenBackPrefix } from '#app/features/money/taken-back.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { formatMoney } from '#app/lib/money.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { withdrawPaymentReminders } from './cancel-places.server.ts';
import { enrolmentLink } from './links.server.ts';
import { owedInWords } from './money-mails.server.ts';
import { accountsConfirmed } from './queries.server.ts';

/**
 * Mails buyers their new payments and refunds with the amount still owed, and a copy to the accounts address (P39).
 * Each enrolment gets one mail for everything new. Triggers note each payment and refund in the transaction that
 * records it, whether staff, a bank statement or a card brought it. Returns how many enrolments got mail.
 */
export async function queueReceipts(db: Db, moment: Moment): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select distinct enrolment_id as id from money_to_tell where not ${waits} order by 1 limit ${limitOf(job, 200)}`.execute(
    db,
  );
  const items = rows.map(({ id }) => id);
  const keyOf = (id: number) => `enrolment:${id}`;
  return eachItem(db, { job, items, keyOf, at: moment.now }, (trx, id) => queueReceipt(trx, id, moment));
}

const job = 'send receipts';

/** We email about a refund by card once Stripe has taken it. */
const waits = sql<boolean>`exists (
  select from refunds refund join payments payment on payment.id = refund.payment_id
    left join card_refunds on card_refunds.refund_id = refund.id
  where refund.id = money_to_tell.refund_id and refund.state = 'sent'
    and payment.method = 'card' and payment.source like 'pi\_%' and card_refunds.stripe_id is null
    and not exists (select from card_disputes where card_disputes.refund_id = refund.id))`;

async function queueReceipt(trx: Trx, enrolmentId: number, moment: Moment): Promise<boolean> {
  const { academy } = moment;
  // Locked, so that of two processes one finds nothing left to tell.
  const enrolment = await trx
    .selectFrom('enrolments')
    .select(['reference', 'title', 'email', 'accounts_email'])
    .select(accountsConfirmed)
    .where('id', '=', enrolmentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const moved = await takeMoved(trx, enrolmentId);
  const reason = 'Money was received or refunded';
  await withdrawPaymentReminders(trx, { enrolmentId, at: moment.now, reason });
  if (moved.length === 0 || isErased(enrolment.email)) return false;
  const { reference, title, email, accounts_email, accounts_confirmed } = enrolment;
  const still = await owedInWords(trx, enrolmentId, moment);
  const about = { kind: 'enrolment', id: enrolmentId } as const;
  const common = { kind: 'money-receipt', about, replyTo: academy.email };
  const words = { reference, title, moved, still, academy };
  const link = enrolmentLink(enrolmentId);
  const mail = moneyReceipt({ ...words, link: placeholderOf(link) });
  await queueMail(trx, { ...common, to: email, links: [link], ...mail });
  if (accounts_email && accounts_confirmed) {
    await queueMail(trx, { ...common, to: accounts_email, ...moneyReceipt({ ...words, link: null }) });
  }
  return true;
}

/** Takes the receipts to send off the list. Refunds that failed, and money that a cardholder's bank took, are for staff. */
async function takeMoved(trx: Trx, enrolmentId: number): Promise<MoneyMoved[]> {
  const { rows } = await sql<{
    kind: MoneyMoved['kind'];
    taken_back: boolean;
    amount_cents: number;
    method: string;
    received_on: string;
    sent_on: string | null;
    silent: boolean;
  }>`
    with told as (
      delete from money_to_tell where enrolment_id = ${enrolmentId} and not ${waits} returning *
    )
    select told.kind, told.amount_cents, payment.method, payment.received_on, refund.sent_on,
      coalesce(starts_with(refund.source, ${takenBackPrefix}), false) as taken_back,
      coalesce(refund.state = 'failed', false)
        or exists (select from card_disputes where card_disputes.refund_id = refund.id) as silent
    from told join payments payment on payment.id = told.payment_id left join refunds refund on refund.id = told.refund_id
    order by told.id`.execute(trx);
  return rows
    .filter(({ silent }) => !silent)
    .map(({ kind: told, taken_back, amount_cents, method, received_on, sent_on }) => {
      const day = sent_on ?? received_on;
      const kind = taken_back ? 'taken-back' : told;
      const how = words[kind][method] ?? 'recorded by our staff';
      return { kind, amount: formatMoney(amount_cents), day: formatDay(day), how };
    });
}

const received = { bank: 'by bank transfer', card: 'by card' };
const words: Record<MoneyMoved['kind'], Record<string, string>> = {
  payment: received,
  withdrawn: received,
  refund: { bank: 'to your bank account', card: 'to your card' },
  'taken-back': { bank: 'by your bank' },
};
