import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  number: string;
  total: string;
  /** The sum that is due and its day, in a sentence. */
  due: string;
  academy: MailAcademy;
};

/** Sends a copy of a tax invoice to the address that the organisation named for invoices (P30). */
export function invoiceCopy({ reference, title, number, total, due, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf(`Tax invoice ${number}`, { title, reference }),
    heading: `Tax invoice ${number}`,
    parts: [
      {
        facts: [
          ['For', title],
          ['Total', `${total} incl. GST`],
          ['Reference', reference],
        ],
      },
      due,
      'The tax invoice is attached. Please quote its payment reference.',
    ],
    academy,
    reason: 'You get this because a buyer of your organisation named this address for invoices.',
  });
}
