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
  const sent = await trx
    .selectFrom('payment_reminders')
    .select('mail_id')
    .distinct()
    .where('enrolment_id', '=', enrolmentId)
    .execute();
  const ids = sent.map(({ mail_id }) => mail_id);
  const withdrawn = await withdrawMails(trx, ids, at, reason);
  if (withdrawn.length > 0) await forgetReminders(trx, withdrawn);
}
