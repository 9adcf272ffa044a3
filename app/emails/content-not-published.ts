import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The text that was not published, such as `course SOC Analyst`. */
  what: string;
  /** The planned time, with its zone. */
  due: string;
  /** Why it did not, a sentence each. */
  reasons: readonly string[];
  link: string;
  /** Whether it goes to the person who scheduled it; otherwise to the academy's own address. */
  toEditor: boolean;
  /** Whether visitors see an earlier text. */
  isPublic: boolean;
  academy: MailAcademy;
};

const mostNamed = 10;

/** Tells the person who scheduled a text that it was not published (P73). */
export function contentNotPublished({ what, due, reasons, link, toEditor, isPublic, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Not published: ${what}`,
    heading: toEditor ? 'Your scheduled text was not published' : 'A scheduled text was not published',
    parts: [
      `${toEditor ? `You scheduled the ${what}` : `The ${what} was scheduled`} for ${due}. We did not publish it. The text is kept as a draft, and visitors ${isPublic ? 'still see the text before it' : 'do not see it'}.`,
      { facts: reasons.slice(0, mostNamed).map((reason, at): [string, string] => [`Reason ${at + 1}`, reason]) },
      'Correct the draft, then publish it or schedule it again.',
      { action: 'Open the draft', href: link },
    ],
    academy,
    reason: toEditor
      ? 'You get this because you scheduled the text.'
      : 'You get this because this is the address of the academy.',
  });
}
