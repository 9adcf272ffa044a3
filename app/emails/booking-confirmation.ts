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
  byStaff?: boolean;
  academy: MailAcademy;
};

/** Confirms a booking to the person with this address. It repeats no text of the form (P20, P49). */
export function bookingConfirmation({ reference, title, when, day, link, byStaff, academy }: Props): RenderedMail {
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
