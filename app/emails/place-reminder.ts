import { type CourseInWords, joiningParts } from './enrolment-placed.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  reference: string;
  /** "in 7 days" or "tomorrow". */
  soon: string;
  course: CourseInWords;
  /** What to bring or how to join. */
  ready: string;
  link: string;
  academy: MailAcademy;
};

/** Reminds an attendee, or the buyer for those without an address, 7 days and 1 day before the first day. */
export function placeReminder({ reference, soon, course, ready, link, academy }: Props): RenderedMail {
  const joining = joiningParts(course, { action: 'Open the place', href: link });
  return renderMail({
    subject: subjectOf(`Reminder, ${soon}`, { title: course.title, day: course.starts, reference }),
    heading: `Your course starts ${soon}`,
    preheader: [course.when, course.where].filter((words) => words !== '').join('. '),
    parts: [
      ...joining.course,
      { heading: 'Get ready' },
      ready,
      ...joining.buttons,
      { note: `If you have questions, please quote ${reference}.` },
    ],
    academy,
    reason: 'You get this because this address belongs to a place in a course.',
  });
}
