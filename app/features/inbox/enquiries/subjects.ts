import { upcomingCourseDates } from '#app/features/course-dates/rules.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { type Day, formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import type { interests } from './options.ts';

type Interest = Exclude<(typeof interests)[number]['value'], ''>;

/** The subject of a message. `about` is its name in an address and in the stored details, such as `course:cissp`. */
export type Subject = { about: string; label: string; interest: Interest };

/**
 * The subject that `about=` in the contact page's address names: `course:`, `certification:`, `quest-line:` or
 * `course-date:` and a slug, including former slugs of courses and course dates. Null for unknown subjects, and for
 * course dates that have begun by `today`.
 */
export function subjectOf(snapshot: Snapshot, about: string | null, today: Day): Subject | null {
  const [kind = '', slug = '', ...more] = about?.split(':') ?? [];
  if (more.length > 0) return null;
  if (kind === 'course') {
    const card = snapshot.bySlug.get(snapshot.aliases.get(slug) ?? slug)?.card;
    return card ? subject(kind, card.slug, card.title, card.category.slug) : null;
  }
  if (kind === 'certification') {
    const all = snapshot.certificationGroups.flatMap(({ certifications }) => certifications);
    const found = all.find((certification) => certification.slug === slug);
    return found ? subject(kind, slug, `${found.name} by ${found.provider}`, found.course.category.slug) : null;
  }
  if (kind === 'quest-line') {
    const found = snapshot.questLines.find((questLine) => questLine.slug === slug);
    const category = found?.steps.at(-1)?.course.category.slug ?? '';
    return found ? subject(kind, slug, `${found.title} quest line`, category) : null;
  }
  if (kind === 'course-date') {
    const wanted = snapshot.courseDateAliases.get(slug) ?? slug;
    const found = upcomingCourseDates(snapshot.courseDates, today).find((courseDate) => courseDate.slug === wanted);
    if (!found) return null;
    const label = `${found.course.title}, ${formatDays(found.startDate, found.endDate)}, ${deliveryText(found)}`;
    return subject(kind, wanted, label, found.course.category.slug);
  }
  return null;
}

function subject(kind: string, slug: string, label: string, category: string): Subject {
  return { about: `${kind}:${slug}`, label, interest: interestOf[category] ?? 'other' };
}

/** The option of "Interested In" that fits a category; the others are Other. */
const interestOf: Readonly<Record<string, Interest>> = {
  comptia: 'cybersecurity-fundamentals',
  soc: 'cybersecurity-fundamentals',
  siem: 'cybersecurity-fundamentals',
  isc2: 'cybersecurity-fundamentals',
  'security-management': 'cybersecurity-fundamentals',
  'network-security': 'cybersecurity-fundamentals',
  'zero-trust': 'cybersecurity-fundamentals',
  'job-guarantee': 'cybersecurity-fundamentals',
  'ethical-hacking': 'ethical-hacking',
  'penetration-testing': 'ethical-hacking',
  'application-security': 'ethical-hacking',
  'ec-council': 'ethical-hacking',
  'cloud-security': 'cloud-security',
  'container-security': 'cloud-security',
  'virtualization-security': 'cloud-security',
  aws: 'cloud-security',
  'incident-response': 'digital-forensics',
  grc: 'compliance-risk',
  pecb: 'compliance-risk',
  isaca: 'compliance-risk',
};
