import { type MailAcademy, type MailPart, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  reference: string;
  /** The new tax invoices, and which ones they replace. */
  invoices: readonly { number: string; replaces: string }[];
  /** The buyer's private page; null for whoever only gets a copy of the invoices. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends the tax invoices issued because the buyer's details were wrong (P30). */
export function buyerCorrected({ reference, invoices, link, academy }: Props): RenderedMail {
  const parts: MailPart[] = [
    { facts: invoices.map(({ number, replaces }) => ['Tax invoice', `${number}, in place of ${replaces}`]) },
    'The corrected tax invoice is attached. An adjustment note takes the earlier one back, so what is owed stays the same. Please quote the reference of the new invoice when you pay; a payment with the earlier reference is found as well.',
  ];
  if (link) parts.push({ action: 'See the enrolment and the adjustment note', href: link });
  return renderMail({
    subject: `Corrected tax invoice: ${reference}`,
    heading: 'Your tax invoice was corrected',
    parts,
    academy,
    reason: 'You get this because this address belongs to the enrolment.',
  });
}
