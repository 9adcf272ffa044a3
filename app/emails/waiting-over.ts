import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  why: OverWhy;
  reference: string;
  /** The course. */
  title: string;
  /** Days and time of the course date concerned; null for the list of a course. */
  when: string | null;
  /** Its first day for the subject, `15 September`. */
  day: string | null;
  /** Whether the person still waits. */
  waits: boolean;
  /** The course's page, all courses when it is retired, or the private page while the person still waits. */
  link: string;
  academy: MailAcademy;
};

const words = {
  lapsed: {
    subject: 'Offer ended',
    heading: 'Your offer has ended',
    text: 'The time to accept your seats has passed.',
  },
  withdrawn: {
    subject: 'Offer withdrawn',
    heading: 'We had to withdraw an offer',
    text: 'We are sorry: we cannot keep the seats for you any longer.',
  },
  cancelled: {
    subject: 'Date cancelled',
    heading: 'The date you waited for is cancelled',
    text: 'We are sorry: we have cancelled this date.',
  },
  moved: {
    subject: 'Date moved',
    heading: 'The date you wait for has changed',
    text: 'We are sorry: we had to change this date. It is now as below.',
  },
  closed: {
    subject: 'Waiting list closed',
    heading: 'No seat became free',
    text: 'Enrolment for this date has closed, and no seat became free for you.',
  },
  retired: {
    subject: 'Course ended',
    heading: 'We no longer offer this course',
    text: 'We are sorry: this course gets no further date.',
  },
} as const;

const afterwards = {
  waits: { text: 'You are still on the waiting list.', action: 'See your turn, or leave the list' },
  over: {
    text: 'You are no longer on this waiting list, and can join again at any time.',
    action: 'See the course and its dates',
  },
  retired: { text: 'You are no longer on its waiting list.', action: 'See all courses' },
} as const;

export type OverWhy = keyof typeof words;

/** Says that an offer, the waiting itself, or the date that was waited for is over (P48). */
export function waitingOver({ why, reference, title, when, day, waits, link, academy }: Props): RenderedMail {
  const { subject, heading, text } = words[why];
  const now = afterwards[waits ? 'waits' : why === 'retired' ? 'retired' : 'over'];
  return renderMail({
    subject: subjectOf(subject, { title, day, reference }),
    heading,
    parts: [
      `${text} You owe nothing.`,
      { panel: title, lines: [...(when ? [when] : []), `Reference: ${reference}`] },
      now.text,
      { action: now.action, href: link },
    ],
    academy,
    reason: 'You get this because this address was on the waiting list.',
  });
}
