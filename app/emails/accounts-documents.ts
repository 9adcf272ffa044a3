import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  numbers: readonly { kind: 'Tax invoice' | 'Adjustment note'; number: string }[];
  /** Sentences that say what the buyer still owes. */
  still: readonly string[];
  academy: MailAcademy;
};

/** The documents of an enrolment so far, to an address that agreed to get its invoices (P30). */
export function accountsDocuments({ reference, title, numbers, still, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf('Tax invoices so far', { title, reference }),
    heading: 'Your copies of the tax invoices',
    parts: [
      'You agreed to get the tax invoices of this enrolment. All documents so far are attached.',
      ...still,
      {
        facts: [
          ['For', title],
          ...numbers.map(({ kind, number }) => [kind, number] as const),
          ['Reference', reference],
        ],
      },
      { note: 'Our bank details are on each tax invoice. Please quote the payment reference of the invoice you pay.' },
    ],
    academy,
    reason: 'You get this because you agreed to get the invoices of this enrolment.',
  });
}
