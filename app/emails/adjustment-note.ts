import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  title: string;
  /** Each note with the invoice that it lowers. */
  notes: readonly { number: string; invoice: string; total: string; reason: string }[];
  /** Sentences that say what the buyer still owes, or that they owe nothing. */
  still: readonly string[];
  /** The buyer's private page; null for a recipient who only gets a copy. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends adjustment notes, which lower what was invoiced (P30). */
export function adjustmentNoteIssued({ reference, title, notes, still, link, academy }: Props): RenderedMail {
  const several = notes.length > 1;
  const parts: MailPart[] = [
    {
      facts: [
        ['Enrolment', title],
        ...notes.map(
          ({ number, invoice, total, reason }) =>
            ['Adjustment note', `${number}, lowers ${invoice} by ${total} incl. GST: ${reason}`] as const,
        ),
        ['Reference', reference],
      ],
    },
    several
      ? 'The adjustment notes are attached. Please keep them with the invoices.'
      : 'The adjustment note is attached. Please keep it with the invoice.',
    ...still,
  ];
  if (link) parts.push({ action: 'See your enrolment', href: link });
  return renderMail({
    subject: subjectOf(several ? 'Adjustment notes' : `Adjustment note ${notes[0]?.number ?? ''}`, {
      title,
      reference,
    }),
    heading: 'The price was lowered',
    parts,
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}
