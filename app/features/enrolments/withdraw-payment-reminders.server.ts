import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { withdrawMails } from '#app/outbox/withdraw-mail.server.ts';
import { forgetReminders } from './payment-reminders.server.ts';

/**
 * Withdraws the payment reminders of an enrolment that were not delivered yet, and forgets them, because what is due has
 * changed (P39, P83): while the mail server is away, money arrives. What is still due is reminded of anew, on the same day
 * too.
 */
export async function withdrawPaymentReminders(
  trx: Trx,
  { enrolmentId, at, reason }: { enrolmentId: number; at: Date; reason: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select mail_id as id from payment_reminders where enrolment_id = ${enrolmentId} and mail_id is not null
    union select mail_id from instalment_reminders join instalments on instalments.id = instalment_id
      where enrolment_id = ${enrolmentId} and mail_id is not null`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const withdrawn = await withdrawMails(trx, ids, at, reason);
  if (withdrawn.length > 0) await forgetReminders(trx, withdrawn);
}
