import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type EmployerRequestSentProps = {
  number: string;
  title: string;
  /** Whom they asked. */
  approver: string;
  total: string;
  lastDay: string;
  /** Their private page. */
  link: string;
  academy: MailAcademy;
};

/** Tells somebody that their employer was asked, and where they see the answer (P113). */
export function employerRequestSent({
  number,
  title,
  approver,
  total,
  lastDay,
  link,
  academy,
}: EmployerRequestSentProps): RenderedMail {
  return renderMail({
    subject: `We asked your employer: ${title}`,
    heading: 'Your employer has your request',
    parts: [
      `We emailed your request for ${title} to ${approver}. They can accept it, ask you something or decline until ${lastDay}.`,
      {
        facts: [
          ['Quote', number],
          ['Total', total],
          ['Open until', lastDay],
        ],
      },
      { action: 'See the answer', href: link },
      'If they accept, they are the buyer, you attend, and you get an email with your place.',
    ],
    academy,
    reason: 'You get this because you asked your employer on our website and confirmed this address with a code.',
  });
}

type EmployerAskedProps = {
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
}: EmployerAskedProps): RenderedMail {
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

type EmployerAnsweredProps = {
  title: string;
  /** Whom they asked. */
  approver: string;
  /** A question that came with the quote still open, or the end of it. */
  answer: 'asked' | 'declined';
  /** Their words; null for none. */
  words: string | null;
  /** Their private page. */
  link: string;
  academy: MailAcademy;
};

/** Gives somebody the question of their employer, or the words with which it declined (P113). */
export function employerAnswered({
  title,
  approver,
  answer,
  words,
  link,
  academy,
}: EmployerAnsweredProps): RenderedMail {
  const asked = answer === 'asked';
  return renderMail({
    subject: asked ? `Your employer asks you something: ${title}` : `Your employer declined: ${title}`,
    heading: asked ? 'Your employer has a question' : 'Your employer declined',
    parts: [
      asked
        ? `${approver} has a question about your request for ${title}. Answer them directly; we have the question too and help where we can.`
        : `${approver} declined your request for ${title}. The quote has ended, and nothing is owed.`,
      ...(words === null ? [] : [`${approver} wrote:`, { quote: words }]),
      { action: 'See your request', href: link },
    ],
    academy,
    reason: 'You get this because you asked your employer on our website.',
  });
}
