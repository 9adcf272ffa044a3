import type { Trx } from '#app/db/client.server.ts';
import { issueAdjustmentNotes } from '#app/features/money/adjustment-notes.server.ts';
import { issueSurcharges } from '#app/features/money/surcharges.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Mail } from '#app/outbox/mail.ts';
import { copiesTo } from './accounts-address.server.ts';
import type { CancellationPlan } from './cancellation-plan.ts';
import type { Enrolment } from './enrolment.ts';
import { invoiceFile, noteFile, queueAccountsCopy } from './invoice-mails.server.ts';
import { queueNotes } from './money-mails.server.ts';
import { withdrawPaymentReminders } from './withdraw-payment-reminders.server.ts';

/**
 * Books what cancelling places does to the charge (P40): adjustment notes for what falls, one tax invoice for what kept
 * courses of a combo cost more, each with a copy to the accounts address. Returns both as attachments for the buyer.
 */
export async function bookCancellation(
  trx: Trx,
  { enrolment, plan, reason }: { enrolment: Enrolment; plan: CancellationPlan; reason: string },
  moment: Moment,
): Promise<{ files: NonNullable<Mail['attachments']> }> {
  const { today, now } = moment;
  for (const { placeId, withdrawnCents, withdrawableCents } of plan.withdrawn) {
    await trx
      .updateTable('places')
      .set({ withdrawn_cents: withdrawnCents, withdrawable_cents: withdrawableCents })
      .where('id', '=', placeId)
      .execute();
  }
  const credits = plan.credits.filter(({ cents }) => cents > 0);
  const surcharges = plan.raises.filter(({ invoiced }) => invoiced);
  const common = { enrolmentId: enrolment.id, today, at: now };
  const notes = credits.length > 0 ? await issueAdjustmentNotes(trx, { ...common, credits, reason }) : [];
  const invoice = surcharges.length > 0 ? await issueSurcharges(trx, { ...common, surcharges }) : null;
  if (notes.length > 0 || invoice) {
    await withdrawPaymentReminders(trx, { enrolmentId: enrolment.id, at: now, reason: 'The charge has changed' });
  }
  await queueNotes(trx, enrolment, { notes, buyerHasThem: true }, moment);
  if (!invoice) return { files: notes.map(noteFile) };
  const to = copiesTo(enrolment);
  if (to) await queueAccountsCopy(trx, enrolment, { to, invoice, moment });
  return { files: [...notes.map(noteFile), invoiceFile(invoice)] };
}
