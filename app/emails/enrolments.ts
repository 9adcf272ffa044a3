import type { Acknowledged } from './enquiries.ts';
import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

/** Sends the private link to an unfinished enrolment to an address that somebody typed. It repeats no text of the forms. */
export function enrolmentDraftLink(props: { link: string; days: number; academy: MailAcademy }): RenderedMail {
  const { link, days, academy } = props;
  return renderMail({
    subject: 'The link to finish enrolling',
    heading: 'Finish enrolling when you like',
    parts: [
      `You have not enrolled yet. We keep what you filled in for ${days} days after the last change.`,
      { action: 'Continue enrolling', href: link },
      {
        note: 'We hold seats for 15 minutes only. The page says whether they are still free. Anyone with this link can read and change what you filled in, so please do not forward this email.',
      },
    ],
    academy,
    reason:
      'You get this because someone asked our website to send the link to this address. If it was not you, ignore this email.',
  });
}

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

type EnrolmentPlacedProps = {
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
export function enrolmentPlaced(props: EnrolmentPlacedProps): RenderedMail {
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

/** Tells the person with this address that we received their enrolment request. It repeats no text of the form (P49). */
export function enrolmentAcknowledgement(props: Acknowledged): RenderedMail {
  const { reference, consent, academy } = props;
  return renderMail({
    subject: `We have your enrolment request: ${reference}`,
    heading: 'We have your enrolment request',
    parts: [
      'This is not an enrolment yet. We’ll answer within one business day, Brisbane time: with your place and tax invoice, or, for a job guarantee programme, with the agreement to read first. You owe nothing until then.',
      { facts: [['Reference', reference]] },
      `If you want to change something, reply to this email or call ${academy.phone}, and quote the reference.`,
    ],
    academy,
    consent,
    reason:
      'You get this because someone gave this address in a form on our website. If it was not you, you owe nothing and can ignore this email.',
  });
}

type EnrolmentLinksProps = {
  links: readonly { reference: string; title: string; href: string; whose: 'buyer' | 'attendee' }[];
  academy: MailAcademy;
};

/** The private links of an address, because somebody asked for them (P32). */
export function enrolmentLinks({ links, academy }: EnrolmentLinksProps): RenderedMail {
  return renderMail({
    subject: 'Your enrolment links',
    heading: 'Your enrolment links',
    parts: [
      'You asked for the private links of this email address. Earlier links still work.',
      ...links.flatMap(({ reference, title, href, whose }): MailPart[] => {
        const words = whose === 'buyer' ? 'Open your enrolment' : 'Open your place';
        return [
          { heading: `${title}, ${reference}` },
          links.length === 1 ? { action: words, href } : { link: words, href },
        ];
      }),
      {
        note: 'Anyone with a link can open its page, so please do not forward this email. If you did not ask for the links, do nothing: we sent them to you only.',
      },
    ],
    academy,
    reason: 'You get this because someone asked our website for the links of this address.',
  });
}

type BuyerCorrectedProps = {
  reference: string;
  title: string;
  /** The new tax invoices, which ones they replace, and the notes that take those back. */
  invoices: readonly { number: string; replaces: string; note: string }[];
  /** The open amounts of the enrolment, in sentences. */
  still: readonly string[];
  owes: boolean;
  /** The buyer's private page; null for a recipient who only gets a copy of the invoices. */
  link: string | null;
  academy: MailAcademy;
};

/** Sends the tax invoices issued because the buyer's details were wrong (P30). */
export function buyerCorrected({
  reference,
  title,
  invoices,
  still,
  owes,
  link,
  academy,
}: BuyerCorrectedProps): RenderedMail {
  const parts: MailPart[] = [
    'We have corrected the details on your tax invoice. Its amount is the same as before.',
    {
      facts: invoices.flatMap(({ number, replaces, note }) => [
        ['Tax invoice', `${number}, in place of ${replaces}`],
        ['Adjustment note', `${note}, cancels ${replaces}`],
      ]),
    },
    'The corrected tax invoice is attached, with the adjustment note that cancels the earlier one.',
    ...still,
    ...(owes ? ['When you pay, please quote the new reference. We also find payments with the earlier one.'] : []),
  ];
  if (link) parts.push({ action: 'Open your enrolment', href: link });
  return renderMail({
    subject: subjectOf('Corrected tax invoice', { title, reference }),
    heading: 'Your tax invoice was corrected',
    parts,
    academy,
    reason: 'You get this because this address belongs to the enrolment.',
  });
}

type AttendeeLeftProps = {
  /** Whether the place goes to somebody else, or the same person is no longer written to at this address. */
  why: keyof typeof words;
  reference: string;
  course: CourseInWords;
  /** Whether an entry of the place is in the recipient's calendar. */
  calendar: boolean;
  academy: MailAcademy;
};

const words = {
  'other-person': {
    subject: 'No longer your place',
    heading: 'Your place goes to somebody else',
    lead: 'You no longer have the place below: it goes to somebody else. You don’t need to do anything.',
    more: [],
    entry: 'The attached entry removes the dates from your calendar.',
  },
  'other-address': {
    subject: 'No more emails',
    heading: 'We no longer write to this address',
    lead: 'We no longer write to this address about the place below. The place stays as it is.',
    more: ['If you attend, the person who enrolled you can tell you what you need to know.'],
    entry: 'The entry in your calendar stays, but we can no longer update it.',
  },
} as const;

/** Tells the former address of an attendee what happened to their place (P40). It has no link to a page any more. */
export function attendeeLeft({ why, reference, course, calendar, academy }: AttendeeLeftProps): RenderedMail {
  const { subject, heading, lead, more, entry } = words[why];
  return renderMail({
    subject: subjectOf(subject, { title: course.title, day: course.starts, reference }),
    heading,
    parts: [
      lead,
      ...more,
      ...courseParts(course),
      { note: [...(calendar ? [entry] : []), `Reference ${reference}.`].join(' ') },
    ],
    academy,
    reason: 'You get this because this address belonged to the enrolment.',
  });
}
