import type { Trx } from '#app/db/client.server.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';

/**
 * Gives an enrolment, which the caller has locked, another address of its buyer; the buyer's private links end (P32).
 * False when it has this address already. Mails with links to the former address lead nowhere from now on.
 */
export async function changeBuyerEmail(
  trx: Trx,
  { enrolmentId, email }: { enrolmentId: number; email: string },
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('enrolments')
    .set({ email, mailbox: mailboxOf(email), mail_domain: mailDomainOf(email), changed_at: at })
    .where('id', '=', enrolmentId)
    .where('email', '<>', email)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await trx
    .deleteFrom('private_links')
    .where('enrolment_id', '=', enrolmentId)
    .where('attendee_id', 'is', null)
    .execute();
  return true;
}
