import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';

type OfferSentProps = {
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
}: OfferSentProps): RenderedMail {
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

type OfferOverSoonProps = {
  /** `OFF-00042`. */
  number: string;
  /** The course or combo. */
  title: string;
  /** `AU$4,598 incl. GST`. */
  total: string;
  /** The last day on which it can be accepted, in words. */
  lastDay: string;
  /** Its private page. */
  link: string;
  academy: MailAcademy;
};

/** Tells whose quote nobody answered that it ends soon (P111). */
export function offerOverSoon({ number, title, total, lastDay, link, academy }: OfferOverSoonProps): RenderedMail {
  return renderMail({
    subject: `Quote ${number} ends on ${lastDay}: ${title}`,
    heading: 'Your quote ends soon',
    parts: [
      `You can accept quote ${number} for ${title} until ${lastDay}. After that day its price no longer holds.`,
      {
        facts: [
          ['Quote', number],
          ['Total', total],
          ['Open until', lastDay],
        ],
      },
      { action: 'Open the quote', href: link },
      'If you don’t answer, the quote ends and you owe nothing.',
    ],
    academy,
    reason: 'You get this because this quote was made for this address. We send it once.',
  });
}

type OfferAcceptedProps = {
  /** `OFF-00042`. */
  number: string;
  /** The course or combo. */
  title: string;
  /** Of the enrolment, `BB-7KQ2MX`. */
  reference: string;
  academy: MailAcademy;
};

/** Tells whoever asked for a quote that somebody else accepted it (P111). */
export function offerAccepted({ number, title, reference, academy }: OfferAcceptedProps): RenderedMail {
  return renderMail({
    subject: `Quote ${number} was accepted: ${title}`,
    heading: 'Your quote was accepted',
    parts: [
      `Someone you gave the link to has accepted quote ${number} for ${title}. They are the buyer: they got the tax invoice and the link to name who attends.`,
      {
        facts: [
          ['Quote', number],
          ['Enrolment', reference],
        ],
      },
      'You don’t have to do anything. To change the enrolment, ask the person who accepted.',
    ],
    academy,
    reason: 'You get this because this quote was made for this address.',
  });
}
