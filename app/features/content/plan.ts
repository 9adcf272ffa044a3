import { isDeepStrictEqual } from 'node:util';
import { addDays } from '../../lib/dates.ts';
import type { Content } from './schema.ts';

/** Kinds of record an import tells apart. */
export type RecordKind =
  | 'document'
  | 'category'
  | 'track'
  | 'instructor'
  | 'course'
  | 'certification group'
  | 'certification'
  | 'training session';

export type PlannedRecord = { kind: RecordKind; key: string };
export type Plan = { added: PlannedRecord[]; changed: PlannedRecord[]; retired: PlannedRecord[]; unchanged: number };

/** What an import would do to turn `before` (null: an empty database) into `after`. */
export function planImport(before: Content | null, after: Content): Plan {
  const old = before ? recordsOf(before) : new Map<string, ContentRecord>();
  const wanted = recordsOf(after);
  const plan: Plan = { added: [], changed: [], retired: [], unchanged: 0 };
  for (const [id, record] of wanted) {
    const was = old.get(id);
    const { kind, key } = record;
    if (!was) plan.added.push({ kind, key });
    else if (isDeepStrictEqual(was.value, record.value)) plan.unchanged++;
    else plan.changed.push({ kind, key });
  }
  for (const [id, { kind, key }] of old) {
    if (!wanted.has(id)) plan.retired.push({ kind, key });
  }
  return plan;
}

/** The same content with every date moved by whole weeks, `asOf` excepted: it says where the move began (P13). */
export function moveDates(content: Content, weeks: number): Content {
  if (weeks === 0) return content;
  const moved = (day: string) => addDays(day, weeks * 7);
  return {
    ...content,
    courses: content.courses.map((course) => ({ ...course, published: moved(course.published) })),
    trainingSessions: content.trainingSessions.map((session) => ({
      ...session,
      startDate: moved(session.startDate),
      endDate: moved(session.endDate),
    })),
  };
}

type ContentRecord = PlannedRecord & { value: unknown };

function recordsOf(content: Content): Map<string, ContentRecord> {
  const records = new Map<string, ContentRecord>();
  const put = (kind: RecordKind, key: string, value: unknown) => {
    records.set(`${kind} ${key}`, { kind, key, value });
  };
  for (const name of documentNames) if (content[name]) put('document', name, content[name]);
  // The place in the list is part of a record: a moved line is a change.
  for (const [at, value] of content.categories.entries()) put('category', value.slug, { ...value, at });
  for (const [at, value] of content.tracks.entries()) put('track', value.slug, { ...value, at });
  for (const [at, value] of content.instructors.entries()) put('instructor', value.slug, { ...value, at });
  for (const value of content.courses) put('course', value.slug, value);
  content.certifications.forEach((group, at) => {
    const { certifications, ...value } = group;
    put('certification group', group.slug, { ...value, at });
    certifications.forEach((certification, inner) => {
      put('certification', certification.slug, { ...certification, group: group.slug, at: inner });
    });
  });
  for (const value of content.trainingSessions) put('training session', value.slug, value);
  return records;
}

/** Content kept whole in `site_documents`. */
export const documentNames = [
  'site',
  'heroSlides',
  'partners',
  'combos',
  'questLines',
  'exams',
  'promotion',
  'claims',
  'pages',
  'faq',
  'resources',
] as const;
