import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type BookingConfirmationProps = {
  reference: string;
  /** The kind of booking, such as "Career Counseling". */
  title: string;
  /** Day and time in Brisbane, in words. */
  when: string;
  /** The day for the subject, `9 September`. */
  day: string;
  /** The private page of the booking. */
  link: string;
  byStaff?: boolean;
  academy: MailAcademy;
};

/** Confirms a booking to the person with this address. It repeats no text of the form (P20, P49). */
export function bookingConfirmation({
  reference,
  title,
  when,
  day,
  link,
  byStaff,
  academy,
}: BookingConfirmationProps): RenderedMail {
  return renderMail({
    subject: subjectOf('Booked', { title, day, reference }),
    heading: 'Your time is booked',
    parts: [
      'An adviser has this time for you. We’ll email you how to join before it starts.',
      { panel: title, lines: [when, `Reference: ${reference}`] },
      'The attached entry puts the time in your calendar, in your own time zone.',
      { action: 'Open your booking', href: link },
      {
        note: 'You can move or cancel it there. Declining the calendar invitation does not cancel your booking. Anyone with this link can change the booking, so please do not forward this email.',
      },
    ],
    academy,
    reason: `You get this because ${byStaff ? 'our staff booked a time for you' : 'someone booked a time on our website with this address'}. If it was not you, use the link above to cancel it.`,
  });
}

type BookingMovedProps = {
  reference: string;
  /** The kind of booking, such as "Career Counseling". */
  title: string;
  /** Day and time in Brisbane, in words. */
  when: string;
  /** The day for the subject, `9 September`. */
  day: string;
  previously: string;
  /** The private page of the booking. */
  link: string;
  byStaff?: boolean;
  academy: MailAcademy;
};

/** Confirms that a booking was moved (P20). */
export function bookingMoved({
  reference,
  title,
  when,
  day,
  previously,
  link,
  byStaff,
  academy,
}: BookingMovedProps): RenderedMail {
  return renderMail({
    subject: subjectOf('New time', { title, day, reference }),
    heading: 'Your booking has a new time',
    parts: [
      'We have moved your booking. Please don’t come at the original time.',
      { panel: title, lines: [`New time: ${when}`, `Instead of: ${previously}`, `Reference: ${reference}`] },
      'The attached entry moves the time in your calendar.',
      { action: 'Open your booking', href: link },
      { note: 'You can move or cancel it there. Declining the calendar invitation does not cancel your booking.' },
    ],
    academy,
    reason: byStaff
      ? 'You get this because our staff moved the booking.'
      : 'You get this because someone used your private link to move the booking.',
  });
}

type BookingCancelledProps = {
  reference: string;
  /** The kind of booking, such as "Career Counseling". */
  title: string;
  /** Day and time in Brisbane, in words. */
  when: string;
  /** The day for the subject, `9 September`. */
  day: string;
  /** The page on which another time can be booked. */
  bookAgain: string;
  byStaff?: boolean;
  academy: MailAcademy;
};

/** Confirms that a booking was cancelled (P20). */
export function bookingCancelled({
  reference,
  title,
  when,
  day,
  bookAgain,
  byStaff,
  academy,
}: BookingCancelledProps): RenderedMail {
  return renderMail({
    subject: subjectOf('Cancelled', { title, day, reference }),
    heading: 'Your booking is cancelled',
    parts: [
      'We have cancelled this time. You don’t need to do anything.',
      { panel: title, lines: [`Original time: ${when}`, `Reference: ${reference}`] },
      'The attached entry removes the time from your calendar.',
      { action: 'Book another time', href: bookAgain },
    ],
    academy,
    reason: byStaff
      ? 'You get this because our staff cancelled the booking.'
      : 'You get this because someone used your private link to cancel the booking.',
  });
}

type BookingReminderProps = {
  reference: string;
  /** The kind of booking, such as "Career Counseling". */
  title: string;
  /** Day and time in Brisbane, in words. */
  when: string;
  /** The day for the subject, `9 September`. */
  day: string;
  /** The private page of the booking. */
  link: string;
  academy: MailAcademy;
};

/** Reminds of a booking a day before (P20). */
export function bookingReminder({ reference, title, when, day, link, academy }: BookingReminderProps): RenderedMail {
  return renderMail({
    subject: subjectOf('Reminder', { title, day, reference }),
    heading: 'Your booking is coming up',
    parts: [
      'An adviser has this time for you.',
      { panel: title, lines: [when, `Reference: ${reference}`] },
      'If the time no longer suits you, please move or cancel the booking, so that someone else can have it.',
      { action: 'Open your booking', href: link },
      { note: `If you don’t know how to join, reply to this email or call ${academy.phone}.` },
    ],
    academy,
    reason: 'You get this because a time was booked with this address.',
  });
}

type BookingNoticeProps = {
  event: 'booked' | 'moved' | 'cancelled';
  reference: string;
  /** The kind of booking, such as "Career Counseling". */
  title: string;
  /** Day and time in Brisbane, in words. */
  when: string;
  /** The day for the subject, `9 September`. */
  day: string;
  /** The time before it was moved. */
  previously: string | null;
  name: string;
  email: string;
  /** The subject of the page from which the person came. */
  about: string | null;
  note: string | null;
  /** The actor: the person or one of our staff. */
  by: string;
  academy: MailAcademy;
};

const acts = { booked: 'has booked a time', moved: 'has moved a booking', cancelled: 'has cancelled a booking' };
const headings = { booked: 'New booking', moved: 'Booking moved', cancelled: 'Booking cancelled' };

/** Tells the academy that a time was booked, moved or cancelled; an answer to it goes to the person who booked. */
export function bookingNotice(props: BookingNoticeProps): RenderedMail {
  const { event, reference, title, when, day, previously, name, email, about, note, by, academy } = props;
  const facts = [
    ['What', title],
    [event === 'cancelled' ? 'Original time' : 'When', when],
    ['Instead of', previously ?? ''],
    ['Name', name],
    ['Email', email],
    ['About', about ?? ''],
    ['Reference', reference],
  ] as const;
  const parts: MailPart[] = [`${by} ${acts[event]}.`, { facts: facts.filter(([, value]) => value !== '') }];
  if (note) parts.push({ quote: note });
  if (event !== 'cancelled') parts.push('Please email the person how to join. A reply to this email goes to them.');
  return renderMail({
    subject: subjectOf(headings[event], { title, day, reference }),
    heading: headings[event],
    parts,
    academy,
    toStaff: true,
    reason: 'The website sends this to the academy for every booking and every change of one.',
  });
}
