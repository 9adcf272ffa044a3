import { type CourseInWords, courseParts } from './enrolment-placed.ts';
import { type MailAcademy, type MailPart, type RenderedMail, renderMail } from './layout.tsx';

type Props = {
  change: PlaceChange;
  reference: string;
  course: CourseInWords;
  /** What it was before: another date, or another person. */
  previously: string | null;
  /** What that means in money, or in days to decide; only for the buyer. Empty for an attendee. */
  money: readonly string[];
  /** Null when nothing is left to see. */
  link: string | null;
  academy: MailAcademy;
};

const words = {
  cancelled: { subject: 'Cancelled', heading: 'A place was cancelled', instead: 'Instead of' },
  moved: { subject: 'Moved', heading: 'A place was moved to another date', instead: 'Instead of' },
  'attendee-changed': { subject: 'Attendee changed', heading: 'Another person attends', instead: 'Instead of' },
  'sold-again': { subject: 'Money back', heading: 'The session you cancelled has sold out', instead: '' },
  dated: { subject: 'A date is set', heading: 'Your course has a date', instead: '' },
  'session-confirmed': { subject: 'Confirmed', heading: 'Your course takes place', instead: '' },
  'session-cancelled': { subject: 'Please choose', heading: 'We had to cancel a date', instead: 'Was to be' },
  'session-moved': { subject: 'Please choose', heading: 'We had to move a date', instead: 'Instead of' },
} as const;

export type PlaceChange = keyof typeof words;

/** Tells buyer or attendee what changed about a place (P31, P40). To attendees `money` is empty (P32). */
export function placeChanged({ change, reference, course, previously, money, link, academy }: Props): RenderedMail {
  const { subject, heading, instead } = words[change];
  const parts: MailPart[] = [...courseParts(course)];
  if (previously) parts.push({ facts: [[instead, previously]] });
  parts.push(...money);
  if (money.length === 0 && isAsked(change)) {
    parts.push('We have asked whoever enrolled you what they choose instead, and write to you when it is settled.');
  }
  if (link) parts.push({ action: money.length > 0 ? 'See or change the enrolment' : 'See your place', href: link });
  parts.push(`Reference ${reference}. The attached entry, if there is one, corrects your calendar.`);
  return renderMail({
    subject: `${subject}: ${reference}`,
    heading,
    parts,
    academy,
    reason: 'You get this because this address belongs to the enrolment.',
  });
}

const isAsked = (change: PlaceChange) => change === 'session-cancelled' || change === 'session-moved';
