import type { Trx } from '#app/db/client.server.ts';
import { findDocument } from '#app/features/money/accounts.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { copiesTo } from './accounts-address.server.ts';
import { queueAccountsCopy, queueInvoiceAgain } from './invoice-mails.server.ts';
import { readEnrolment } from './queries.server.ts';

/**
 * Sends a tax invoice of an enrolment to its buyer once more, and to the address that gets copies of the invoices (P83): the same
 * document, with what of it is due now. Returns its number; null when it is none of this enrolment, or nobody is left to
 * write to.
 */
export async function sendInvoiceAgain(
  trx: Trx,
  { enrolmentId, invoiceId, actor }: { enrolmentId: number; invoiceId: number; actor: Actor },
  moment: Moment,
): Promise<string | null> {
  requirePermission(actor, 'enrolments:change');
  const invoice = await findDocument(trx, 'tax-invoice', invoiceId);
  if (invoice?.kind !== 'tax-invoice' || invoice.enrolmentId !== enrolmentId) return null;
  const enrolment = await readEnrolment(trx, enrolmentId);
  if (isErased(enrolment.email)) return null;
  await queueInvoiceAgain(trx, enrolment, { to: enrolment.email, invoice, moment });
  const accounts = copiesTo(enrolment);
  if (accounts) await queueAccountsCopy(trx, enrolment, { to: accounts, invoice, moment, canTakeBack: true });
  return invoice.facts.number;
}
