import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  /** The first day of the course, `13 October`; null without one. */
  starts: string | null;
  number: string;
  total: string;
  /** The sum that is due and its day, in a sentence. */
  due: string;
  /** The account to pay to, a name and a value each; empty when it is paid. */
  pay: readonly (readonly [name: string, value: string])[];
  /** The buyer's private page; null for the address that the organisation named. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends a tax invoice again to its buyer, or a copy to the address that the organisation named for invoices (P30). */
export function invoiceCopy({ reference, title, starts, number, total, due, pay, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf(`Tax invoice ${number}`, { title, day: starts, reference }),
    heading: `Tax invoice ${number}`,
    parts: [
      due,
      {
        facts: [
          ['For', title],
          ['Total', `${total} incl. GST`],
          ['Reference', reference],
        ],
      },
      ...(pay.length > 0 ? [{ heading: 'Pay by bank transfer' }, { facts: pay }] : []),
      { note: 'The tax invoice is attached. Please quote its payment reference when you pay.' },
      ...(link ? [{ action: 'Open your enrolment', href: link }] : []),
    ],
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}
