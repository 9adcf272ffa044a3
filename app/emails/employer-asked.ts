import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** Of the quote, `OFF-00042`. */
  number: string;
  /** The course or combo. */
  title: string;
  /** Who asks: a name that can be nothing else (P24). */
  asker: string;
  askerEmail: string;
  /** `AU$2,299 incl. GST`. */
  total: string;
  /** The last day on which it can be accepted, in words. */
  lastDay: string;
  /** The private page of the quote. */
  link: string;
  academy: MailAcademy;
};

/** Asks an employer to pay for somebody (P113). The words of the person are on the page, not in the email (P49). */
export function employerAsked({
  number,
  title,
  asker,
  askerEmail,
  total,
  lastDay,
  link,
  academy,
}: Props): RenderedMail {
  return renderMail({
    subject: `${asker} asks you to pay for ${title}`,
    preheader: `${total}, open until ${lastDay}.`,
    heading: 'Someone in your organisation asks you for training',
    parts: [
      `${asker} would like to attend ${title} and asks you to pay for it: ${total}. You can answer until ${lastDay}.`,
      {
        facts: [
          ['Asked by', `${asker}, ${askerEmail}`],
          ['Course', title],
          ['Total', total],
          ['Quote', number],
        ],
      },
      { action: 'Read the request and answer', href: link },
      'The page says what they will do with it, what it costs and what we refund if they cannot come. There you accept, ask a question or decline. If you don’t answer, the quote ends and you owe nothing.',
    ],
    academy,
    reason: `You get this because ${asker}, who confirmed the address above, named you as the person who decides. We email you again only if you answer.`,
  });
}
