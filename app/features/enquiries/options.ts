/** What the forms offer. Apart from the schemas, whose library stays out of the browser. */
import type { Day } from '../../lib/dates.ts';

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
