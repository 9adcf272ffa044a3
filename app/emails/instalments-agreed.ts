import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  /** The tax invoice. */
  number: string;
  /** False: an agreement ended, and the amounts are due as the invoice says. */
  agreed: boolean;
  /** A date is not confirmed yet, so nothing is due before it is. */
  waits: boolean;
  /** Days and amounts in words, the first one first. */
  instalments: readonly { day: string; amount: string }[];
  /** The account and the payment reference, a name and a value each. */
  pay: readonly (readonly [name: string, value: string])[];
  /** The buyer's private page; null for a recipient who only gets a copy. */
  link: string | null;
  academy: MailAcademy;
};

/** Tells the buyer by which instalments an invoice is paid, or that it is paid as it says (P83). */
export function instalmentsAgreed(props: Props): RenderedMail {
  const { reference, title, number, agreed, waits, instalments, pay, link, academy } = props;
  const parts: MailPart[] = [
    agreed
      ? `You pay tax invoice ${number} in the amounts below. The invoice itself does not change, and we charge nothing for this.`
      : `The agreement on instalments for tax invoice ${number} has ended. The invoice is due as it says.`,
    {
      facts: [
        ...instalments.map(({ day, amount }) => [`By ${day}`, `${amount} incl. GST`] as const),
        ['Enrolment', title] as const,
        ['Reference', reference] as const,
      ],
    },
  ];
  if (waits) parts.push('Nothing is due before we have confirmed the course date.');
  parts.push({ heading: 'Pay by bank transfer' }, { facts: pay });
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  parts.push({
    note: 'We remind you before each day, or after it if nothing has come. If something is wrong, please reply to this email.',
  });
  return renderMail({
    subject: subjectOf(agreed ? `Instalments for ${number}` : `Due date of ${number}`, { title, reference }),
    heading: agreed ? 'You pay in instalments' : 'You pay the invoice by its due date',
    parts,
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}
