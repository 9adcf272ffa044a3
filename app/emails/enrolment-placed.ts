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
  /** Where, or online. */
  where: string;
  /** The link to the live class; not set while it is not known, and in mails to people who are not in the class. */
  join?: string;
  /** The names of those who attend, or how many are still to be named. */
  who: string;
  /** Whether it is confirmed, or by which day we decide that, in words. */
  standing: string;
};

type Props = {
  reference: string;
  title: string;
  courses: readonly CourseInWords[];
  /** The total in words, GST included, and what was taken off, such as "Combo −30%". */
  total: string;
  discount: string | null;
  /** The sum that is due and its day, in a sentence. */
  due: string;
  /** Where it is paid to, a name and a value each; none when nothing can be paid yet. */
  pay: readonly (readonly [name: string, value: string])[];
  /** How much we refund until which day (P40), a line each. */
  refunds: readonly string[];
  invoiced: boolean;
  /** How many attendees were not told by email, because their address was written to twice today. */
  untold?: number;
  link: string;
  /** Whether a calendar entry is attached. */
  calendar: boolean;
  academy: MailAcademy;
};

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
    refunds,
    invoiced,
    untold = 0,
    link,
    calendar,
    academy,
  } = props;
  const parts: MailPart[] = [
    {
      facts: [
        ['Enrolment', title],
        ['Total', `${total} incl. GST`],
        ...(discount ? [['Discount', discount] as const] : []),
        ['Reference', reference],
      ],
    },
    ...courses.flatMap((course) => courseParts(course)),
    ...(untold > 0 ? [notTold(untold, academy)] : []),
    { heading: 'Paying' },
    due,
  ];
  if (pay.length > 0) parts.push({ facts: pay });
  if (invoiced) parts.push('The tax invoice is attached. Please quote the payment reference.');
  if (refunds.length > 0) {
    parts.push({ heading: 'If you cancel' }, refunds.join('\n'));
    parts.push('Your rights under the Australian Consumer Law apply in every case.');
  }
  parts.push({ action: 'See your enrolment', href: link });
  const declining = calendar ? ' Declining the calendar entry does not cancel your place.' : '';
  parts.push(`Anyone with this link can change the enrolment, so keep it private.${declining}`);
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

/** A course under its own heading. */
export function courseParts({ title, when, where, join = '', who, standing }: CourseInWords): MailPart[] {
  const facts = [
    ['When', when],
    ['Where', where],
    ['Join online', join],
    ['Who', who],
    ['Status', standing],
  ] as const;
  return [{ heading: title }, { facts: facts.filter(([, value]) => value !== '') }];
}
