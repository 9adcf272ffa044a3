import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  /** As the enrolment names them; null while nobody is named. */
  who: string | null;
  course: string;
  days: readonly string[];
  /** What they wrote; '' for nothing. */
  note: string;
  reference: string;
  /** The class's page for staff. */
  link: string;
  academy: MailAcademy;
};

/** Tells the instructor and the academy that an attendee cannot come (P56). */
export function absenceNotice({ who, course, days, note, reference, link, academy }: Props): RenderedMail {
  return renderMail({
    subject: subjectOf('Cannot come', { title: course, reference }),
    heading: 'An attendee cannot come',
    toStaff: true,
    parts: [
      `${who ?? 'An attendee who is not named yet'} cannot come to ${course} on ${inWords(days)}. They keep their place.`,
      { facts: [['Reference', reference]] },
      ...(note === '' ? [] : [{ quote: note }]),
      'On the day, the class page suggests Excused. Answer this email to write to them.',
      { action: 'See the class', href: link },
    ],
    academy,
    reason: 'You get this because you teach this course date or look after enrolments.',
  });
}

function inWords(days: readonly string[]): string {
  return days.length < 2 ? days.join('') : `${days.slice(0, -1).join(', ')} and ${days.at(-1)}`;
}
