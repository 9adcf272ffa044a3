import { type CourseInWords, courseParts } from './enrolment-placed.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  reference: string;
  course: CourseInWords;
  /** What to bring or how to join. */
  ready: string;
  link: string;
  academy: MailAcademy;
};

/** Tells an attendee of their own place, never of money (P32). */
export function placeGiven({ reference, course, ready, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: `Your place: ${reference}`,
    heading: 'You have a place',
    parts: [
      ...courseParts(course),
      ready,
      { action: 'See your place', href: link },
      `Reference ${reference}. Declining in a calendar does not cancel; write to whoever enrolled you, or to us.`,
    ],
    academy,
    reason: 'You get this because somebody enrolled you with this address. If you do not know why, answer this e-mail.',
  });
}
