import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** What was to go out, such as `course SOC Analyst`. */
  what: string;
  /** When, with its zone. */
  due: string;
  /** Why it did not, a sentence each. */
  reasons: readonly string[];
  link: string;
  academy: MailAcademy;
};

const mostNamed = 10;

/** Tells whoever scheduled a text that it was not published (P73). */
export function contentNotPublished({ what, due, reasons, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Not published: ${what}`,
    heading: 'Your scheduled text was not published',
    parts: [
      `You scheduled the ${what} for ${due}. We did not publish it. The text is kept as a draft, and visitors still see the text before it.`,
      { facts: reasons.slice(0, mostNamed).map((reason, at): [string, string] => [`Reason ${at + 1}`, reason]) },
      'Correct the draft, then publish it or schedule it again.',
      { action: 'Open the draft', href: link },
    ],
    academy,
    reason: 'You get this because you scheduled the text.',
  });
}
