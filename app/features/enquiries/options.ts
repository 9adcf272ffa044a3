/** What the forms offer. Apart from the schemas, whose library stays out of the browser. */
import type { Day } from '#app/lib/dates.ts';

/** The options of "Interested In", in the specification's order; the first stands for none. */
export const interests = [
  { value: '', label: 'Select a course category' },
  { value: 'cybersecurity-fundamentals', label: 'Cybersecurity Fundamentals' },
  { value: 'ethical-hacking', label: 'Ethical Hacking & Penetration Testing' },
  { value: 'cloud-security', label: 'Cloud Security' },
  { value: 'digital-forensics', label: 'Digital Forensics' },
  { value: 'compliance-risk', label: 'Compliance & Risk Management' },
  { value: 'corporate-training', label: 'Corporate Training' },
  { value: 'other', label: 'Other' },
] as const;

/** Whole and half hours at which a call or a tour may begin: Mon-Fri 9:00 to 17:30, Sat 10:00 to 15:30, Brisbane time. */
export function bookingTimes(day: Day): string[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const hours = weekday === 0 ? null : weekday === 6 ? [10, 16] : [9, 18];
  if (!hours) return [];
  const [from = 0, to = 0] = hours;
  return Array.from({ length: (to - from) * 2 }, (_, at) => {
    const minutes = from * 60 + at * 30;
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}`;
  });
}

/** How many days after today a call or a tour may be asked for: calendars of staff reach no further. */
export const bookingDaysAhead = 90;

/** The forms of the contact page, by `topic` in its address; without one it is Send Message (P18, P20). */
export const contactTopics = {
  contact: { title: 'Send Message', action: 'Send Message' },
  booking: { title: 'Book a Session', action: 'Ask for this time' },
  tour: { title: 'Schedule Tour', action: 'Ask for this time' },
  chat: { title: 'Start Chat', action: 'Send to our staff' },
} as const;
export type ContactTopic = keyof typeof contactTopics;

/** The topic an address names; Send Message for one we do not have, `constructor` included. */
export function contactTopicOf(name: string | null): ContactTopic {
  return name !== null && Object.hasOwn(contactTopics, name) ? (name as ContactTopic) : 'contact';
}

/** What one agrees to with the box that is never ticked in advance (P23); stored with the consent (P49). */
export const consentWording = 'Tell me now and then about new courses and dates. I can stop this with one click.';
