import { type CourseInWords, courseParts, joiningParts } from './enrolments.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type PlaceGivenProps = {
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
export function placeGiven({ reference, course, ready, link, calendar, academy }: PlaceGivenProps): RenderedMail {
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

type PlaceChangedProps = {
  change: PlaceChange;
  /** The person whose page the link leads to. */
  to: 'buyer' | 'attendee';
  reference: string;
  course: CourseInWords;
  /** How many places the buyer reads of at once. */
  count?: number;
  /** The date or the person before the change. */
  previously: string | null;
  /** Other news about the place, a sentence a line, for buyer and attendee. */
  news?: readonly string[];
  /** The cost or refund of the change, and the day until which the buyer can choose. Empty for an attendee. */
  money: readonly string[];
  /** How many attendees are not told, because they were not told of their place either; only for the buyer. */
  untold?: number;
  /** The effect of the attached calendar entry; null without one. */
  calendar: 'REQUEST' | 'CANCEL' | null;
  /** Null when the recipient has no page any more. */
  link: string | null;
  academy: MailAcademy;
};

const words = {
  cancelled: { subject: 'Cancelled', heading: 'A place is cancelled', instead: 'Instead of' },
  moved: { subject: 'New date', heading: 'A place was moved to another date', instead: 'Instead of' },
  'attendee-changed': { subject: 'Attendee changed', heading: 'A different person will attend', instead: 'Instead of' },
  'attendee-named': { subject: 'Attendee named', heading: 'You have named an attendee', instead: '' },
  'attendee-corrected': { subject: 'Name corrected', heading: 'A name is corrected', instead: 'Before' },
  dated: { subject: 'Date set', heading: 'Your course has a date', instead: '' },
  'course-date-confirmed': { subject: 'Confirmed', heading: 'Your course is going ahead', instead: '' },
  'course-date-held': { subject: 'Confirmed', heading: 'We have confirmed a date that is over', instead: '' },
  'course-date-cancelled': { subject: 'Please choose', heading: 'We had to cancel a date', instead: 'Original time' },
  'course-date-moved': { subject: 'Date moved', heading: 'We had to change a date', instead: 'Instead of' },
  'course-date-changed': { subject: 'Changed', heading: 'A small change to your course', instead: 'Instead of' },
  'joining-details': { subject: 'How to join', heading: 'How to join your course', instead: '' },
} as const;

export type PlaceChange = keyof typeof words;

/** Who did what, and the result. The first sentence of the mail. */
const leads: Readonly<Record<PlaceChange, { buyer: string; attendee: string }>> = {
  cancelled: {
    buyer: 'We have cancelled the place below.',
    attendee: 'You no longer have the place below. You don’t need to do anything.',
  },
  moved: {
    buyer: 'We have moved the place below to this date.',
    attendee: 'We have moved your place to this date.',
  },
  'attendee-changed': {
    buyer: 'The place now belongs to a different person.',
    attendee: 'The place now belongs to a different person.',
  },
  'attendee-named': {
    buyer: 'The place now has the name you gave us.',
    attendee: 'The place now has a name.',
  },
  'attendee-corrected': {
    buyer: 'The place stays with the same person, whose name is now as below.',
    attendee: 'The place is still yours, with your name as below.',
  },
  dated: {
    buyer: 'We have set the date of this course, and your place is on it.',
    attendee: 'We have set the date of this course, and you have a place on it.',
  },
  'course-date-confirmed': {
    buyer: 'We have confirmed this date. The course goes ahead.',
    attendee: 'We have confirmed this date. The course goes ahead, and you have a place on it.',
  },
  'course-date-held': {
    buyer: 'We are sorry that we confirm this date only now. The course went ahead.',
    attendee: 'The course went ahead.',
  },
  'course-date-cancelled': {
    buyer: 'We are sorry: we had to cancel this date.',
    attendee: 'We are sorry: we had to cancel this date. You don’t need to do anything now.',
  },
  'course-date-moved': {
    buyer: 'We are sorry: we had to change this date.',
    attendee: 'We are sorry: we had to change this date. You keep your place.',
  },
  'course-date-changed': {
    buyer: 'We have changed something about this date. The places stay as they are.',
    attendee: 'We have changed something about this date. You keep your place.',
  },
  'joining-details': {
    buyer: 'We can now tell you how to join this course.',
    attendee: 'We can now tell you how to join this course.',
  },
};

/** Tells buyer or attendee what changed about a place (P31, P40). To attendees `money` is empty (P32). */
export function placeChanged(props: PlaceChangedProps): RenderedMail {
  const {
    change,
    to,
    reference,
    course,
    previously,
    news = [],
    money,
    count = 1,
    untold = 0,
    calendar,
    link,
    academy,
  } = props;
  const { subject, heading, instead } = words[change];
  const own = to === 'buyer' ? leadForBuyer(change, count) : leads[change].attendee;
  const open = link && { action: to === 'buyer' ? 'Open your enrolment' : 'Open your place', href: link };
  const joining = change === 'joining-details' && open ? joiningParts(course, open) : null;
  const parts: MailPart[] = [
    own,
    ...money,
    ...news,
    ...(joining?.course ?? courseParts(course, previously ? [`${instead}: ${previously}`] : [])),
  ];
  if (untold > 0) parts.push(notTold(untold));
  if (to === 'attendee' && isAsked(change)) parts.push(asked[change]);
  if (joining) parts.push(...joining.buttons);
  else if (open) parts.push(open);
  parts.push({ note: [...(calendar ? [entries[calendar]] : []), `Reference ${reference}.`].join(' ') });
  return renderMail({
    subject: subjectOf(subjectFor(props, subject), { title: course.title, day: course.starts, reference }),
    heading: count > 1 && isOfSeveral(change) ? ofSeveral[change].heading : heading,
    preheader: [own, ...money].join(' '),
    parts,
    academy,
    reason: 'You get this because this address belongs to the enrolment.',
  });
}

/** For several places at once. Other changes are told for a date, or for one place. */
const ofSeveral = {
  cancelled: { heading: 'Some places are cancelled', lead: 'We have cancelled the places below.' },
  moved: { heading: 'Some places were moved to another date', lead: 'We have moved the places below to this date.' },
};
const isOfSeveral = (change: PlaceChange): change is keyof typeof ofSeveral => change in ofSeveral;
const leadForBuyer = (change: PlaceChange, count: number) =>
  count > 1 && isOfSeveral(change) ? ofSeveral[change].lead : leads[change].buyer;

const notTold = (count: number) =>
  count === 1
    ? 'We have not written to 1 attendee about this, because we have not emailed them about their place before. Please tell them.'
    : `We have not written to ${count} attendees about this, because we have not written to them about their places before. Please tell them.`;

/** Only the buyer chooses, so attendees read that the date is cancelled. A course date that keeps its time was not moved. */
function subjectFor({ change, to, previously }: PlaceChangedProps, subject: string): string {
  if (change === 'course-date-cancelled' && to === 'attendee') return 'Date cancelled';
  return change === 'course-date-moved' && previously === null ? 'Changed' : subject;
}

const entries = {
  REQUEST: 'The attached entry updates your calendar.',
  CANCEL: 'The attached entry removes the dates from your calendar.',
};

const isAsked = (change: PlaceChange): change is keyof typeof asked => change in asked;

/** The sentence for an attendee while the buyer may choose (P40). */
const asked = {
  'course-date-cancelled':
    'We have asked the person who enrolled you to choose another date or a refund. We’ll email you when they have chosen.',
  'course-date-moved':
    'If the change does not suit you, tell the person who enrolled you: they can choose another date or a refund.',
};

type PlaceReminderProps = {
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
export function placeReminder({ reference, soon, course, ready, link, academy }: PlaceReminderProps): RenderedMail {
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

type AbsenceNoticeProps = {
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
}: AbsenceNoticeProps): RenderedMail {
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
