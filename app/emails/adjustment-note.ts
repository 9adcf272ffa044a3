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
    several
      ? 'We have lowered what you pay for this enrolment. The adjustment notes are attached.'
      : 'We have lowered what you pay for this enrolment. The adjustment note is attached.',
    ...still,
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
  ];
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  parts.push({
    note: several ? 'Please keep the notes with the tax invoices.' : 'Please keep the note with the tax invoice.',
  });
  return renderMail({
    subject: subjectOf(several ? 'Adjustment notes' : `Adjustment note ${notes[0]?.number ?? ''}`, {
      title,
      reference,
    }),
    heading: several ? 'Your tax invoices are lower' : 'Your tax invoice is lower',
    parts,
    academy,
    reason: link
      ? 'You get this because you placed this enrolment.'
      : 'You get this because a buyer of your organisation named this address for invoices.',
  });
}
