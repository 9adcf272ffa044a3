import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  /** The invoices that are due, each with its sum and day in words. */
  invoices: readonly { number: string; owed: string; due: string; overdue: boolean }[];
  /** The sum that is due of all of them, in words. */
  owed: string;
  /** The payment reference for the transfer, of the invoice that is due first. */
  paymentReference: string;
  link: string;
  academy: MailAcademy;
};

/** Reminds the buyer of unpaid invoices. The program cancels nothing for want of payment (P39). */
export function paymentReminder({
  reference,
  title,
  invoices,
  owed,
  paymentReference,
  link,
  academy,
}: Props): RenderedMail {
  const overdue = invoices.some((invoice) => invoice.overdue);
  const attached = invoices.length > 1 ? 'The tax invoices are attached.' : 'The tax invoice is attached.';
  return renderMail({
    subject: subjectOf(overdue ? 'Payment is overdue' : 'Payment is due soon', { title, reference }),
    heading: overdue ? 'We have not seen your payment yet' : 'Your payment is due soon',
    parts: [
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
          ['Payment reference', paymentReference],
        ],
      },
      `${attached} If you paid in the last few days, please ignore this. We do not cancel your place without writing to you first. If paying is difficult, reply to this email.`,
      { action: 'See your enrolment', href: link },
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}
