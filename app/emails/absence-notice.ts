import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
  /** As the enrolment names them; null while nobody is named. */
  who: string | null;
  course: string;
  /** Empty: they come on all days. */
  days: readonly string[];
  /** They named other days before, which these replace. */
  again?: boolean;
  /** Their words; '' for none. */
  note: string;
  reference: string;
  /** The class's page for staff. */
  link: string;
  academy: MailAcademy;
};

/** Tells the instructor and the academy that an attendee cannot come, or comes after all (P56). */
export function absenceNotice({
  who: named,
  course,
  days,
  again = false,
  note,
  reference,
  link,
  academy,
}: Props): RenderedMail {
  const who = named ?? 'An attendee who is not named yet';
  const comes = days.length === 0;
  return renderMail({
    subject: subjectOf(comes ? 'Can come again' : 'Cannot come', { title: course, reference }),
    heading: comes ? 'An attendee can come again' : 'An attendee cannot come',
    toStaff: true,
    parts: [
      comes
        ? `${who} can come to ${course} after all.`
        : `${who} cannot come to ${course} on ${inWords(days)}. They keep their place.`,
      ...(again && !comes ? ['This replaces the days that they told us before.'] : []),
      { facts: [['Reference', reference]] },
      ...(note === '' ? [] : [{ quote: note }]),
      comes
        ? 'The class page no longer suggests Excused. Answer this email to write to them.'
        : 'On the day, the class page suggests Excused. Answer this email to write to them.',
      { action: 'See the class', href: link },
    ],
    academy,
    reason: 'You get this because you teach this course date or look after enrolments.',
  });
}

function inWords(days: readonly string[]): string {
  return days.length < 2 ? days.join('') : `${days.slice(0, -1).join(', ')} and ${days.at(-1)}`;
}
