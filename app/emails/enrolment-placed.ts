import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

/** One course of an enrolment in words. */
export type CourseInWords = {
  title: string;
  /** Its first day for a subject, `13 October`; not set without a date. */
  starts?: string;
  /** Days and time, "guided, from Monday …", or that its date is still to come. */
  when: string;
  /** The place, or online. */
  where: string;
  /** The link to the live class; not set while it is not known, and in mails to people who are not in the class. */
  join?: string;
  /** The names of the attendees, or how many are still to be named. */
  who: string;
  /** Whether it is confirmed, or by which day we decide that, in words. */
  standing: string;
};

/** A day and a sum each where the refund goes by days, otherwise a sentence each. */
export type EnrolmentRefunds = { rows: readonly (readonly [day: string, sum: string])[] } | { text: readonly string[] };

type Props = {
  reference: string;
  title: string;
  courses: readonly CourseInWords[];
  /** The total in words, GST included, and what was taken off, such as "Combo −30%". */
  total: string;
  discount: string | null;
  /** The sum that is due and its day, in a sentence. */
  due: string;
  /** The account to pay to, a name and a value each; empty when nothing can be paid yet. */
  pay: readonly (readonly [name: string, value: string])[];
  /** How many places it has. */
  places: number;
  /** How much we refund until which day (P100). */
  refunds: EnrolmentRefunds;
  /** How a combo is cancelled (P99); null for a course. */
  rule?: string | null;
  invoiced: boolean;
  /** Whether something of the invoice is still to be paid, now or later. */
  owed: boolean;
  /** How many attendees were not told by email, because their address was written to twice today. */
  untold?: number;
  link: string;
  /** Whether a calendar entry is attached. */
  calendar: boolean;
  academy: MailAcademy;
};

export const howToJoin = 'We email everyone who attends how to join before the first day.';

/** Confirms an enrolment to its buyer: course, dates, people, price, the sum that is due and the refunds (P28, P31). */
export function enrolmentPlaced(props: Props): RenderedMail {
  const {
    reference,
    title,
    courses,
    total,
    discount,
    due,
    pay,
    places,
    refunds,
    rule = null,
    invoiced,
    owed,
    untold = 0,
    link,
    calendar,
    academy,
  } = props;
  const lead = `You have ${places === 1 ? '1 place' : `${places} places`}. ${due}`;
  const parts: MailPart[] = [lead, ...courses.flatMap((course) => courseParts(course))];
  if (courses.some(({ starts, join }) => starts && !join)) parts.push(howToJoin);
  if (untold > 0) parts.push(notTold(untold, academy));
  if (pay.length > 0) parts.push({ heading: 'Pay by bank transfer' }, { facts: pay });
  const quote = owed ? ' Please quote the payment reference when you pay.' : '';
  if (invoiced) parts.push({ note: `The tax invoice is attached.${quote}` });
  // The amount above is the price of a single course.
  if (pay.length === 0 || courses.length > 1 || discount) {
    const price: MailPart = {
      facts: [
        ['Enrolment', title],
        ['Total', `${total} incl. GST`],
        ...(discount ? [['Discount', discount] as const] : []),
      ],
    };
    parts.push({ heading: 'What you bought' }, price);
  }
  parts.push({ action: 'Open your enrolment', href: link });
  parts.push({
    note: `You can ${owed && academy.byCard ? 'pay by card, ' : ''}name attendees, change or cancel there. Anyone with this link can do the same, so please do not forward this email. Your reference is ${reference}.`,
  });
  parts.push({ heading: 'rows' in refunds ? 'If you cancel, you get back' : 'If you cancel' });
  parts.push('rows' in refunds ? { facts: refunds.rows } : refunds.text.join('\n'));
  const remarks = [
    ...(rule === null ? [] : [rule]),
    ...('rows' in refunds ? ['Days end at midnight in Brisbane.'] : []),
    ...(calendar ? ['Declining the calendar entry does not cancel your place.'] : []),
    'Your rights under the Australian Consumer Law apply in every case.',
  ];
  parts.push({ note: remarks.join(' ') });
  return renderMail({
    subject: subjectOf('Enrolled', { title, day: courses.length === 1 ? courses[0]?.starts : '', reference }),
    heading: 'You are enrolled',
    parts,
    academy,
    reason: 'You get this because an enrolment was placed with this address.',
  });
}

const notTold = (count: number, { url, phone }: MailAcademy) =>
  `We have not written to ${count === 1 ? '1 attendee' : `${count} attendees`}: we email one address about at most two new places a day. They can get their links at ${url}/enrolments, or call ${phone}.`;

/** In a mail that says how to join: the course, and the button that it is for. Until the link is known, `open` is the button. */
export function joiningParts({ join, ...course }: CourseInWords, open: { action: string; href: string }) {
  const buttons: MailPart[] = join
    ? [
        { action: 'Join the class', href: join },
        { link: open.action, href: open.href },
      ]
    : [open];
  return { course: courseParts(course), buttons };
}

/** A course with its date, its people and further lines. */
export function courseParts(course: CourseInWords, more: readonly string[] = []): MailPart[] {
  const { title, when, where, join = '', who, standing } = course;
  const lines = [
    ...when.split(/, (?=\d{1,2}:)/),
    where,
    ...(who ? [`Who: ${who}`] : []),
    ...more,
    ...(standing ? [`Status: ${standing}`] : []),
    ...(join ? [`Join online: ${join}`] : []),
  ];
  return [{ panel: title, lines: lines.filter((line) => line !== '') }];
}
