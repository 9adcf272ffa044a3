import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

/**
 * Money that moved: received, sent back, taken back by the bank it came from, or taken off the enrolment again because it
 * was put there by mistake.
 */
export type MoneyMoved = {
  kind: 'payment' | 'refund' | 'taken-back' | 'withdrawn';
  amount: string;
  day: string;
  how: string;
};

type Props = {
  reference: string;
  title: string;
  moved: readonly MoneyMoved[];
  /** Sentences that say what the buyer still owes, or that they owe nothing. */
  still: readonly string[];
  /** The buyer's private page; null for a recipient who only gets a copy. */
  link: string | null;
  academy: MailAcademy;
};

const words = {
  payment: { subject: 'Payment received', heading: 'We have received your payment', label: 'Received' },
  refund: { subject: 'Refund sent', heading: 'We have sent you a refund', label: 'Refunded' },
  'taken-back': { subject: 'Payment taken back', heading: 'Your bank has taken a payment back', label: 'Taken back' },
  withdrawn: { subject: 'Payment corrected', heading: 'We have corrected a payment', label: 'Not counted' },
};

/** Says which money came in or went back, and what the buyer still owes (P39). */
export function moneyReceipt({ reference, title, moved, still, link, academy }: Props): RenderedMail {
  const kinds = [...new Set(moved.map(({ kind }) => kind))];
  const [kind] = kinds;
  const { subject, heading } =
    kind && kinds.length === 1
      ? words[kind]
      : { subject: 'Payments and refunds', heading: 'What has changed about your payments' };
  const parts: MailPart[] = [
    ...still,
    {
      facts: [
        ['Enrolment', title],
        ...moved.map((one) => [words[one.kind].label, `${one.amount}, ${one.day}, ${one.how}`] as const),
        ['Reference', reference],
      ],
    },
  ];
  if (kinds.includes('withdrawn')) {
    parts.push('We added a payment to this enrolment by mistake. It no longer counts for this enrolment.');
  }
  if (kinds.includes('taken-back')) {
    parts.push(
      'The bank has taken a payment back from us, so it no longer counts. If you do not know why, ask your bank.',
    );
  }
  if (kinds.includes('refund'))
    parts.push('A refund goes to where the money came from. Your bank may take a few days.');
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  return renderMail({
    subject: subjectOf(subject, { title, reference }),
    heading,
    preheader: [`${moved.map(({ amount, day }) => `${amount}, ${day}`).join('. ')}.`, ...still].join(' '),
    parts,
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}
