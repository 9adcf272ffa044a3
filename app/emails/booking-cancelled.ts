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
  /** The page on which another time can be booked. */
  bookAgain: string;
  byStaff?: boolean;
  academy: MailAcademy;
};

/** Confirms that a booking was cancelled (P20). */
export function bookingCancelled({ reference, title, when, day, bookAgain, byStaff, academy }: Props): RenderedMail {
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
