import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  /** Of the enrolment. */
  reference: string;
  course: string;
  instructor: string;
  change: 'set' | 'link' | 'off' | 'ended';
  /** Set: the weekday and times. Off: the day. Ended: the last day on which it may be held. */
  when?: string;
  /** Why it is not held on a day, in the words of staff. */
  reason?: string;
  /** The day on which it is held after that one; null when there is none for the reader. */
  next?: string | null;
  /** The attendee's page, which has the link to the hour: mails do not (P60). */
  link: string;
  academy: MailAcademy;
};

/** Tells somebody who studies in their own time that the live hour of their course begins, changes or ends (P60). */
export function liveHourChanged({
  reference,
  course,
  instructor,
  change,
  when = '',
  reason = '',
  next = null,
  link,
  academy,
}: Props): RenderedMail {
  const words = {
    set: {
      subject: 'Your live hour',
      heading: 'A live hour each week',
      said: `${instructor} holds a live hour online for ${course}: ${when}. It is not held on public holidays.`,
      more: 'Bring questions, and what you have to show or defend. You do not have to come.',
    },
    link: {
      subject: 'Live hour, new link',
      heading: 'Your live hour has a new link',
      said: `The live hour of ${course} has a new link. The days and times stay the same.`,
      more: 'The old link no longer works. If you saved the live hours in your calendar, download the calendar file again.',
    },
    off: {
      subject: 'No live hour',
      heading: `No live hour on ${when}`,
      said: `The live hour of ${course} is not held on ${when}. ${reason}`,
      more: next ? `The next one after that is on ${next}.` : 'It was the last one planned.',
    },
    ended: {
      subject: 'Live hour ends',
      heading: 'The live hour ends',
      said: `The live hour of ${course} ends. There is none after ${when}.`,
      more: 'Your modules stay open as before. If another live hour is set, we will email you.',
    },
  }[change];
  return renderMail({
    subject: subjectOf(words.subject, { title: course, reference }),
    heading: words.heading,
    parts: [
      words.said,
      words.more,
      change === 'ended'
        ? 'If you saved the live hours in your calendar, the file on the page of your place takes out those that are not held.'
        : 'The link and a calendar file are on the page of your place.',
      { action: 'See your place', href: link },
    ],
    academy,
    reason: 'You get this because you study this course with us in your own time.',
  });
}
