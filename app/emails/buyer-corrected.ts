import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  /** The new tax invoices, which ones they replace, and the notes that take those back. */
  invoices: readonly { number: string; replaces: string; note: string }[];
  /** The open amounts of the enrolment, in sentences. */
  still: readonly string[];
  owes: boolean;
  /** The buyer's private page; null for a recipient who only gets a copy of the invoices. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends the tax invoices issued because the buyer's details were wrong (P30). */
export function buyerCorrected({ reference, title, invoices, still, owes, link, academy }: Props): RenderedMail {
  const parts: MailPart[] = [
    'We have corrected the details on your tax invoice. Its amount is the same as before.',
    {
      facts: invoices.flatMap(({ number, replaces, note }) => [
        ['Tax invoice', `${number}, in place of ${replaces}`],
        ['Adjustment note', `${note}, cancels ${replaces}`],
      ]),
    },
    'The corrected tax invoice is attached, with the adjustment note that cancels the earlier one.',
    ...still,
    ...(owes ? ['When you pay, please quote the new reference. We also find payments with the earlier one.'] : []),
  ];
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  return renderMail({
    subject: subjectOf('Corrected tax invoice', { title, reference }),
    heading: 'Your tax invoice was corrected',
    parts,
    academy,
    reason: 'You get this because this address belongs to the enrolment.',
  });
}
