import { neededRecords } from '#app/features/content/needed-records.ts';
import type { RecordKind, RecordValue } from '#app/features/content/records.ts';

type Words = {
  one: string;
  many: string;
  /** The field by which a record is named in lists. */
  title: string;
};

const text = (value: unknown) => String(value ?? '');

/** The kinds in the order of the first page of Content. */
export const kinds: Record<RecordKind, Words> = {
  course: { one: 'course', many: 'Courses', title: 'title' },
  module: { one: 'module', many: 'Modules', title: 'title' },
  certification: { one: 'certification', many: 'Certifications', title: 'name' },
  'certification group': { one: 'certification group', many: 'Certification groups', title: 'title' },
  'quest line': { one: 'quest line', many: 'Quest lines', title: 'title' },
  combo: { one: 'combo', many: 'Combos', title: 'title' },
  category: { one: 'category', many: 'Categories', title: 'name' },
  track: { one: 'track', many: 'Tracks', title: 'name' },
  instructor: { one: 'instructor', many: 'Instructors', title: 'name' },
  exam: { one: 'exam', many: 'Exams', title: 'code' },
  page: { one: 'page', many: 'Pages', title: 'title' },
  'faq group': { one: 'FAQ group', many: 'FAQ', title: 'title' },
  resource: { one: 'resource', many: 'Resources', title: 'title' },
  'hero slide': { one: 'slide', many: 'Slides of the first page', title: 'title' },
  partner: { one: 'partner', many: 'Partners', title: 'name' },
  claim: { one: 'claim', many: 'Claims', title: 'wording' },
  promotion: { one: 'promotion', many: 'Promotion', title: 'subject' },
  'public holiday': { one: 'public holiday', many: 'Public holidays', title: 'name' },
  synonym: { one: 'synonym', many: 'Synonyms', title: 'typed' },
  site: { one: 'setting', many: 'Settings of the site', title: 'name' },
};

/** Kinds with exactly one record. */
export const singleKinds: readonly RecordKind[] = ['site', 'promotion'];

/** Whether the program needs the record, so that it cannot be retired (P70). */
export const isNeeded = ({ kind, key }: { kind: RecordKind; key: string }): boolean =>
  singleKinds.includes(kind) || ((kind === 'claim' || kind === 'page') && neededRecords[kind].includes(key));

export const kindInAddress = (kind: RecordKind): string => kind.replaceAll(' ', '-');

/** The kind that an address such as `faq-group` names; null for none. */
export function kindOfAddress(address: string): RecordKind | null {
  const kind = address.replaceAll('-', ' ');
  return Object.hasOwn(kinds, kind) && !address.includes(' ') ? (kind as RecordKind) : null;
}

export const wordsOf = (kind: RecordKind): Words => kinds[kind as RecordKind];

/** The name of a record in lists and above its form. */
export function titleOf(kind: RecordKind, value: RecordValue): string {
  const title = text(value[wordsOf(kind).title]).trim();
  if (kind === 'module') return `${text(value.course)} ${text(value.number)}: ${title}`;
  const { one } = wordsOf(kind);
  return title === '' ? `${/^[aeiou]/.test(one) ? 'An' : 'A'} ${one} without a name` : title;
}
