import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type Props = {
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
export function bookingReminder({ reference, title, when, day, link, academy }: Props): RenderedMail {
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
