import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';
import { withdrawMails } from '#app/outbox/withdraw-mail.server.ts';
import { forgetReminders } from './payment-reminders.server.ts';

/**
 * Withdraws the reminders of a debt that did not go out yet, and forgets them: the day on which it is due has changed
 * (P83). What else such a mail asked for is reminded of anew.
 */
export async function withdrawPaymentReminders(trx: Trx, { debt, at }: { debt: number; at: Date }): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select mail_id as id from payment_reminders where debt = ${debt} and mail_id is not null
    union select mail_id from instalment_reminders join instalments on instalments.id = instalment_id
      where debt = ${debt} and mail_id is not null`.execute(trx);
  const ids = rows.map(({ id }) => id);
  const withdrawn = await withdrawMails(trx, ids, at, 'Another day to pay was agreed');
  if (withdrawn.length > 0) await forgetReminders(trx, withdrawn);
}
