import { isDeepStrictEqual } from 'node:util';
import { compareText } from '#app/lib/compare-text.ts';
import { courseSchema } from './course-schema.ts';
import { moduleKey, moduleSchema } from './module-schema.ts';
import { type Content, contentFiles } from './schema.ts';

/** Content that is one record. */
const singles = ['site', 'promotion'] as const;

/** Lists whose members are records, and the field that names a member. The place in the list belongs to the record. */
const lists = {
  category: { name: 'categories', key: 'slug' },
  track: { name: 'tracks', key: 'slug' },
  instructor: { name: 'instructors', key: 'slug' },
  combo: { name: 'combos', key: 'slug' },
  'hero slide': { name: 'heroSlides', key: 'title' },
  partner: { name: 'partners', key: 'name' },
  'quest line': { name: 'questLines', key: 'slug' },
  exam: { name: 'exams', key: 'code' },
  claim: { name: 'claims', key: 'id' },
  page: { name: 'pages', key: 'slug' },
  'faq group': { name: 'faq', key: 'slug' },
  resource: { name: 'resources', key: 'slug' },
  'public holiday': { name: 'holidays', key: 'slug' },
  synonym: { name: 'synonyms', key: 'typed' },
} as const;
type ListKind = keyof typeof lists;
const listKinds = Object.keys(lists) as ListKind[];

/** Kinds of record that an import tells apart. */
export type RecordKind =
  | (typeof singles)[number]
  | ListKind
  | 'course'
  | 'module'
  | 'training session'
  | 'certification group'
  | 'certification';

/** The fields of a record by name. `at` is its place in its list, from 0. */
export type RecordValue = Record<string, unknown>;

/** One record of the content. */
export type ContentRecord = { kind: RecordKind; key: string; value: RecordValue };

/** Content without training sessions: files only make those, and nothing that is made stays a record (P46). */
export type LastingContent = Omit<Content, 'trainingSessions'>;

/** Kinds whose slug may change: a record is the same as long as slug or a former slug agree (P3). */
export const renamableKinds: readonly RecordKind[] = ['course', 'combo'];

/** Takes the content apart into records. */
export function recordsOf(content: LastingContent & Partial<Pick<Content, 'trainingSessions'>>): ContentRecord[] {
  const records: ContentRecord[] = [];
  // Content stored in an older shape may lack one; the import that mends it has to run.
  for (const kind of singles) if (content[kind]) records.push({ kind, key: kind, value: { ...content[kind] } });
  for (const kind of listKinds) {
    const { name, key } = lists[kind];
    const list: Record<string, unknown>[] = content[name] ?? [];
    list.forEach((item, at) => {
      records.push({ kind, key: String(item[key]), value: { ...item, at } });
    });
  }
  for (const course of content.courses) records.push({ kind: 'course', key: course.slug, value: { ...course } });
  // Content stored before there were modules has none.
  for (const module of content.modules ?? [])
    records.push({ kind: 'module', key: moduleKey(module), value: { ...module } });
  for (const session of content.trainingSessions ?? []) {
    records.push({ kind: 'training session', key: session.slug, value: { ...session } });
  }
  content.certifications.forEach(({ certifications, ...group }, at) => {
    records.push({ kind: 'certification group', key: group.slug, value: { ...group, at } });
    certifications.forEach((certification, inner) => {
      const value = { ...certification, group: group.slug, at: inner };
      records.push({ kind: 'certification', key: certification.slug, value });
    });
  });
  return records;
}

/** Puts records together again; a record that does not fit its schema throws. The inverse of `recordsOf`. */
export function contentOf(records: readonly ContentRecord[]): Content {
  const byKind = Map.groupBy(records, ({ kind }) => kind);
  const valuesOf = (kind: RecordKind) => (byKind.get(kind) ?? []).map(({ value }) => value);
  const inPlace = (kind: RecordKind) =>
    (byKind.get(kind) ?? [])
      .toSorted((a, b) => Number(a.value.at) - Number(b.value.at) || compareText(a.key, b.key))
      .map(({ value: { at: _, ...value } }) => value);

  const parts: Record<string, unknown> = {
    courses: courseSchema.array().parse(valuesOf('course').toSorted(bySlug)),
    modules: moduleSchema
      .array()
      .parse(valuesOf('module'))
      .sort((a, b) => compareText(moduleKey(a), moduleKey(b))),
    trainingSessions: contentFiles.trainingSessions.schema.parse(
      valuesOf('training session').toSorted(
        (a, b) => compareText(text(a.startDate), text(b.startDate)) || bySlug(a, b),
      ),
    ),
    certifications: contentFiles.certifications.schema.parse(
      inPlace('certification group').map((group) => ({
        ...group,
        certifications: inPlace('certification')
          .filter((certification) => certification.group === group.slug)
          .map(({ group: _, ...certification }) => certification),
      })),
    ),
  };
  for (const kind of singles) parts[kind] = contentFiles[kind].schema.parse(valuesOf(kind)[0]);
  for (const kind of listKinds) parts[lists[kind].name] = contentFiles[lists[kind].name].schema.parse(inPlace(kind));
  // Every part was parsed by the schema of its own file.
  return parts as Content;
}

const text = (value: unknown) => String(value);
const bySlug = (a: Record<string, unknown>, b: Record<string, unknown>) => compareText(text(a.slug), text(b.slug));

/** The key of a value among the records of its kind. */
export function keyOfValue(kind: RecordKind, value: RecordValue): string {
  if (singles.some((single) => single === kind)) return kind;
  if (kind === 'module') return moduleKey({ course: String(value.course), number: Number(value.number) });
  return String(value[lists[kind as ListKind]?.key ?? 'slug']);
}

/** The kind of the members of a list of content; undefined for other fields. */
export const kindOfList = (name: string): RecordKind | undefined => listKinds.find((kind) => lists[kind].name === name);

/** The fields in which two values of a record differ, those of the later one first. */
export function fieldsChanged(before: RecordValue, after: RecordValue): string[] {
  const fields = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...fields].filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

/** The same record with every course it names, itself excepted, put through `rename`. */
export function renameCourses(record: ContentRecord, rename: (slug: string) => string): ContentRecord {
  const { kind, value } = record;
  const all = (list: unknown) => (Array.isArray(list) ? list.map((slug) => rename(text(slug))) : list);
  const changed: Record<string, unknown> = {};
  if (kind === 'course') {
    if ('needs' in value) changed.needs = all(value.needs);
    if ('leadsTo' in value) changed.leadsTo = all(value.leadsTo);
  } else if (kind === 'combo') changed.courses = all(value.courses);
  else if (kind === 'quest line') {
    const steps = value.steps as { course: string }[];
    changed.steps = steps.map((step) => ({ ...step, course: rename(step.course) }));
  } else if (['certification', 'training session', 'hero slide', 'resource', 'module'].includes(kind)) {
    changed.course = rename(text(value.course));
  } else return record;
  return { ...record, value: { ...value, ...changed } };
}
