import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  title: string;
  /** Who asked their employer. */
  asker: string;
  /** The three lines of the request. */
  lines: readonly string[];
  /** Whether it goes to whoever asked, or to the employer. */
  to: 'asker' | 'employer';
  /** Where the answer is typed. */
  link: string;
  academy: MailAcademy;
};

/** Thirty days after a course: the lines of the request, and one question (P113). */
export function courseFollowUp({ title, asker, lines, to, link, academy }: Props): RenderedMail {
  const own = to === 'asker';
  return renderMail({
    subject: own ? `What came of ${title}?` : `What came of ${title} for ${asker}?`,
    heading: 'One month on',
    parts: [
      own
        ? `A month ago you finished ${title}. This is what you told your employer:`
        : `A month ago ${asker} finished ${title}, which you paid for. This is what they had told you:`,
      { panel: own ? 'Your request' : 'The request', lines },
      own ? 'One question: what have you done with it?' : 'One question: what has it changed?',
      { action: 'Answer in a line or two', href: link },
      'No answer is fine. We read what you write and show it to nobody outside the academy.',
    ],
    academy,
    reason: own
      ? 'You get this once because your employer accepted the request you made on our website.'
      : 'You get this once because you were asked for this course on our website and the request was accepted.',
  });
}
