import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import type { MailPart } from './mail-parts.tsx';
import { subjectOf } from './subject.ts';

type Props = {
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
  /** The adviser's number. */
  adviser: number;
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
export function bookingNotice(props: Props): RenderedMail {
  const { event, reference, title, when, day, previously, adviser, name, email, about, note, by, academy } = props;
  const facts = [
    ['What', title],
    [event === 'cancelled' ? 'Original time' : 'When', when],
    ['Instead of', previously ?? ''],
    ['Adviser', String(adviser)],
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
