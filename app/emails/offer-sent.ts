import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';

type Props = {
  /** `OFF-00042`. */
  number: string;
  /** The course or combo. */
  title: string;
  people: number;
  lines: readonly { description: string; detail: string }[];
  /** `AU$4,598 incl. GST`. */
  total: string;
  /** The last day on which it can be accepted, in words. */
  lastDay: string;
  /** What is held until when, in a sentence; empty for nothing. */
  held: string;
  /** Staff sent it; otherwise the customer made it on our website. */
  byStaff: boolean;
  /** Its private page. */
  link: string;
  academy: MailAcademy;
};

/** A quote and its private page (P111, P112). It repeats no text that a stranger typed (P49). */
export function offerSent({
  number,
  title,
  people,
  lines,
  total,
  lastDay,
  held,
  byStaff,
  link,
  academy,
}: Props): RenderedMail {
  const parts: MailPart[] = [
    `${byStaff ? 'We made you a quote' : 'Your quote is ready'}: ${total} for ${people === 1 ? 'one person' : `${people} people`}. It is open until ${lastDay}, and the price holds until then.`,
    ...lines.map(({ description, detail }) => ({ panel: description, lines: [detail] })),
    {
      facts: [
        ['Quote', number],
        ['People', String(people)],
        ['Total', total],
        ['Open until', lastDay],
      ],
    },
    ...(held === '' ? [] : [held]),
    { action: 'Open the quote', href: link },
    'The page has the quote as a PDF, and the buttons to accept or decline. Forward this email to the person who decides: anyone with the link can read the quote and answer it.',
  ];
  return renderMail({
    subject: `Quote ${number}: ${title}`,
    preheader: `${total}, open until ${lastDay}.`,
    heading: `Quote ${number}`,
    parts,
    academy,
    reason: byStaff
      ? 'You get this because you asked us for a quote.'
      : 'You get this because someone made a quote on our website and confirmed this address with a code.',
  });
}
