import { type CourseInWords, courseParts } from './enrolment-placed.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  course: CourseInWords;
  /** What to bring or how to join. */
  ready: string;
  link: string;
  /** Whether a calendar entry is attached. */
  calendar: boolean;
  academy: MailAcademy;
};

/** Tells an attendee of their own place, never of money (P32). */
export function placeGiven({ reference, course, ready, link, calendar, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf('Your place', { title: course.title, day: course.starts, reference }),
    heading: 'You have a place',
    parts: [
      'You are enrolled in this course.',
      ...courseParts(course),
      { heading: 'Get ready' },
      ready,
      { action: 'Open your place', href: link },
      {
        note: calendar
          ? `Declining the calendar entry does not cancel your place. To cancel, write to the person who enrolled you, or to us. Reference ${reference}.`
          : `Reference ${reference}.`,
      },
    ],
    academy,
    reason: 'You get this because someone enrolled you with this address. If you do not know why, reply to this email.',
  });
}
