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
  previously: string;
  /** The private page of the booking. */
  link: string;
  byStaff?: boolean;
  academy: MailAcademy;
};

/** Confirms that a booking was moved (P20). */
export function bookingMoved({ reference, title, when, day, previously, link, byStaff, academy }: Props): RenderedMail {
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
