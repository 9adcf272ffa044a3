import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
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
export function offerOverSoon({ number, title, total, lastDay, link, academy }: Props): RenderedMail {
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
