import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  reference: string;
  title: string;
  /** What is still owed, in words. */
  owed: string;
  /** The day it is or was due, in words. */
  due: string;
  overdue: boolean;
  link: string;
  academy: MailAcademy;
};

/** Reminds the buyer of what is unpaid; nothing is cancelled by a machine for want of payment (P39). */
export function paymentReminder({ reference, title, owed, due, overdue, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `${overdue ? 'Payment is overdue' : 'Payment is due soon'}: ${reference}`,
    heading: overdue ? 'We have not seen your payment yet' : 'Your payment is due soon',
    parts: [
      {
        facts: [
          ['Enrolment', title],
          ['Still owed', `${owed} incl. GST`],
          [overdue ? 'Was due' : 'Due', due],
          ['Payment reference', reference],
        ],
      },
      'The tax invoice is attached. If you have paid in the last days, ignore this. The place stays yours; if paying is difficult, answer this e-mail.',
      { action: 'See the enrolment', href: link },
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}
