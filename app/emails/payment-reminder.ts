import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  /** The first day of the course, `13 October`; null without one. */
  starts: string | null;
  /** The invoices that are due, each with its sum and day in words. */
  invoices: readonly { number: string; owed: string; due: string; overdue: boolean }[];
  /** The sum due on all invoices, in words. */
  owed: string;
  /** The part of it that the bank of a card took back, in words; null for none. */
  takenBack: string | null;
  /** The account, and the payment reference of the invoice that is due first, a name and a value each. */
  pay: readonly (readonly [name: string, value: string])[];
  link: string;
  academy: MailAcademy;
};

/** Reminds the buyer of unpaid invoices. The program cancels nothing for want of payment (P39). */
export function paymentReminder(props: Props): RenderedMail {
  const { reference, title, starts, invoices, owed, takenBack, pay, link, academy } = props;
  const overdue = invoices.some((invoice) => invoice.overdue);
  const attached = invoices.length > 1 ? 'The tax invoices are attached.' : 'The tax invoice is attached.';
  return renderMail({
    subject: subjectOf(overdue ? 'Payment is overdue' : 'Payment is due soon', { title, day: starts, reference }),
    heading: takenBack
      ? 'The bank of your card took your payment back'
      : overdue
        ? 'We have not seen your payment yet'
        : 'Your payment is due soon',
    parts: [
      ...(takenBack ? [`The bank of the card took ${takenBack} back, so it is not paid any more.`] : []),
      lead(invoices, owed),
      {
        facts: [
          ['Enrolment', title],
          ...invoices.map(
            (invoice) =>
              [
                'Tax invoice',
                `${invoice.number}, ${invoice.owed} incl. GST, ${invoice.overdue ? 'was due on' : 'due by'} ${invoice.due}`,
              ] as const,
          ),
          ...(invoices.length > 1 ? [['Together', `${owed} incl. GST`] as const] : []),
          ['Reference', reference],
        ],
      },
      { heading: 'Pay by bank transfer' },
      { facts: pay },
      ...(academy.byCard
        ? [{ note: 'You can also pay by card: open your enrolment and press the button there.' }]
        : []),
      { note: `${attached} If you paid in the last few days, please ignore this email.` },
      { action: 'Open your enrolment', href: link },
      {
        note: 'We do not cancel your place without writing to you first. If paying is difficult, reply to this email, and we’ll look for a way together.',
      },
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}

/** The amount owed and its day. Overdue amounts are asked for now. */
function lead(invoices: Props['invoices'], owed: string): string {
  const [first] = invoices;
  const several = invoices.length > 1;
  if (invoices.every(({ overdue }) => overdue)) {
    return several
      ? `${owed} incl. GST is overdue. Please pay it now.`
      : `${owed} incl. GST was due on ${first?.due ?? ''}. Please pay it now.`;
  }
  if (!several) return `Please pay ${owed} incl. GST by ${first?.due ?? ''}.`;
  return invoices.some(({ overdue }) => overdue)
    ? `Please pay ${owed} incl. GST. Part of it is overdue.`
    : `Please pay ${owed} incl. GST, each tax invoice by its day.`;
}
