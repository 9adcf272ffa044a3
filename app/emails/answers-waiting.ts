import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  /** Course, module and since when, for each answer; at most some. */
  answers: readonly { course: string; module: string; since: string }[];
  /** How many there are in all. */
  count: number;
  link: string;
  academy: MailAcademy;
};

/** Tells an instructor which exercises wait for them, without names and answers: those are behind the sign-in. */
export function answersWaiting({ answers, count, link, academy }: Props): RenderedMail {
  const subject = count === 1 ? '1 exercise to mark' : `${count} exercises to mark`;
  return renderMail({
    subject,
    heading: subject,
    parts: [
      ...answers.map(({ course, module, since }) => `${course}, ${module}, handed in ${since}.`),
      ...(count > answers.length ? [`The page lists ${count - answers.length} more.`] : []),
      { action: 'See the exercises', href: link },
    ],
    academy,
    reason: 'You get this once a day while exercises of your courses wait to be marked.',
  });
}
