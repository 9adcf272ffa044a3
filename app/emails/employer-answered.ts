import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
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
export function employerAnswered({ title, approver, answer, words, link, academy }: Props): RenderedMail {
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
