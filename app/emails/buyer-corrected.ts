import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';

type Props = {
  reference: string;
  /** The new tax invoices, which ones they replace, and the notes that take those back. */
  invoices: readonly { number: string; replaces: string; note: string }[];
  /** The buyer's private page; null for a recipient who only gets a copy of the invoices. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends the tax invoices issued because the buyer's details were wrong (P30). */
export function buyerCorrected({ reference, invoices, link, academy }: Props): RenderedMail {
  const parts: MailPart[] = [
    {
      facts: invoices.flatMap(({ number, replaces, note }) => [
        ['Tax invoice', `${number}, in place of ${replaces}`],
        ['Adjustment note', `${note}, cancels ${replaces}`],
      ]),
    },
    'The corrected tax invoice and the adjustment note are attached. The note cancels the earlier invoice, so you owe the same amount. Please quote the new invoice’s reference when you pay. We also find payments with the earlier reference.',
  ];
  if (link) parts.push({ action: 'See your enrolment', href: link });
  return renderMail({
    subject: `Corrected tax invoice: ${reference}`,
    heading: 'Your tax invoice was corrected',
    parts,
    academy,
    reason: 'You get this because this address belongs to the enrolment.',
  });
}
