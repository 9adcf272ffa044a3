import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** The published text, such as `course SOC Analyst`. */
  what: string;
  /** The planned time, with its zone. */
  due: string;
  /** The person who published it. */
  by: string;
  /** The history of the record. */
  link: string;
  academy: MailAcademy;
};

/** Tells the person who scheduled a text that somebody else published it before its day (P73). */
export function contentPublishedEarly({ what, due, by, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Published early: ${what}`,
    heading: 'Your scheduled text was published early',
    parts: [
      `You scheduled the ${what} for ${due}. ${by} published it now, so visitors see it already. It is not scheduled any more.`,
      { action: 'Open the history', href: link },
    ],
    academy,
    reason: 'You get this because you scheduled the text.',
  });
}
