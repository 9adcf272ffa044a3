import { buyerCorrected } from '#app/emails/buyer-corrected.ts';
import type { SeatTrx } from '#app/features/sessions/seats.server.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Circumstances } from './circumstances.ts';
import type { Enrolment } from './enrolment.ts';
import { enrolmentLink } from './links.server.ts';
import { lockEnrolment, type Meanwhile, markChanged } from './lock-enrolment.server.ts';
import { invoiceFile, noteFile } from './mails.server.ts';
import { type Replacement, replaceInvoices } from './money/adjustment-notes.server.ts';
import type { Payer } from './order.ts';

export type Correction = {
  enrolmentId: number;
  name: string;
  phone: string | null;
  payer: Payer;
  /** Where the caller has the buyer written to from here on, if that changes. */
  email?: string;
};

/**
 * Corrects who buys and who pays (P30). Where a tax invoice names it, an adjustment note takes that invoice back and a new
 * one takes its place; what is owed stays the same. `changed` is false when everything was so before.
 */
export async function correctBuyer(
  trx: SeatTrx,
  { enrolmentId, name, email, phone, payer }: Correction,
  circumstances: Circumstances,
): Promise<{ ok: true; changed: boolean } | Meanwhile> {
  const { today, at } = circumstances;
  const locked = await lockEnrolment(trx, enrolmentId, at);
  if (!locked.ok) return locked;
  const { enrolment: before } = locked;
  const organisation = payer.kind === 'organisation' ? payer : null;
  const after = {
    buyerName: name,
    phone,
    payer: payer.kind,
    organisation: organisation?.organisation ?? null,
    abn: organisation?.abn ?? null,
    address: payer.address,
    purchaseOrder: organisation?.purchaseOrder ?? null,
    accountsEmail: organisation?.accountsEmail ?? null,
  } satisfies Partial<Enrolment>;
  const differs = (fields: readonly (keyof typeof after)[]) => fields.some((field) => before[field] !== after[field]);
  if (!differs(Object.keys(after) as (keyof typeof after)[])) return { ok: true, changed: false };
  await trx
    .updateTable('enrolments')
    .set({
      buyer_name: after.buyerName,
      phone,
      payer: after.payer,
      organisation: after.organisation,
      abn: after.abn,
      address: after.address,
      purchase_order: after.purchaseOrder,
      accounts_email: after.accountsEmail,
    })
    .where('id', '=', enrolmentId)
    .execute();
  const enrolment = await markChanged(trx, enrolmentId, at);
  if (!differs(['buyerName', 'organisation', 'abn', 'address', 'purchaseOrder'])) return { ok: true, changed: true };
  const replacements = await replaceInvoices(trx, { enrolmentId, today, at });
  if (replacements.length > 0)
    await queueCorrected(trx, { ...enrolment, email: email ?? enrolment.email }, replacements, circumstances);
  return { ok: true, changed: true };
}

/** To the buyer, and to whoever has copies of the invoices: both documents in one mail (P30). */
async function queueCorrected(
  trx: SeatTrx,
  { id, email, accountsEmail, reference }: Enrolment,
  replacements: readonly Replacement[],
  { academy }: Circumstances,
): Promise<void> {
  const numbers = replacements.map(({ invoice: { facts }, note }) => ({
    number: facts.number,
    replaces: facts.replaces ?? '',
    note: note.facts.number,
  }));
  const attachments = replacements.flatMap(({ invoice, note }) => [invoiceFile(invoice), noteFile(note)]);
  const common = { kind: 'buyer-corrected', replyTo: academy.email, attachments };
  const link = enrolmentLink(id);
  await queueMail(trx, {
    ...common,
    to: email,
    links: [link],
    ...buyerCorrected({ reference, invoices: numbers, link: placeholderOf(link), academy }),
  });
  if (!accountsEmail) return;
  const copy = buyerCorrected({ reference, invoices: numbers, link: null, academy });
  await queueMail(trx, { ...common, to: accountsEmail, ...copy });
}
