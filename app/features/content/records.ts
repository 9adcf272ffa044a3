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

/** Kinds of record that staff edit; course dates have pages of their own. */
export type RecordKind =
  | (typeof singles)[number]
  | ListKind
  | 'course'
  | 'module'
  | 'certification group'
  | 'certification';

/** Content kept whole in `site_content`, by its name there, with the kind of record its members are. */
export const documentNames = {
  site: 'site',
  heroSlides: 'hero slide',
  partners: 'partner',
  questLines: 'quest line',
  exams: 'exam',
  promotion: 'promotion',
  claims: 'claim',
  pages: 'page',
  faq: 'faq group',
  resources: 'resource',
  holidays: 'public holiday',
  synonyms: 'synonym',
} as const satisfies Record<string, RecordKind>;

/** The fields of a record by name. `at` is its place in its list, from 0. */
export type RecordValue = Record<string, unknown>;

/** One record of the content. */
export type ContentRecord = { kind: RecordKind; key: string; value: RecordValue };

/** The content that is kept as records: all but the course dates. */
export type RecordedContent = Omit<Content, 'courseDates'>;

/** A record before and after a change; null while it is not published. `key` is the one before, for a new record its own. */
export type RecordChange = {
  kind: RecordKind;
  key: string;
  was: RecordValue | null;
  now: RecordValue | null;
};

/** The author of a revision: a person, the program, or the files of content/, which filled the empty database (P95). */
export type Author = { person: number } | 'files' | 'program';

/** A record of content wherever it is kept; `key` is its present slug or name. */
export type RecordRef = { id: number; kind: RecordKind; key: string };

/** A record as it was published or retired at an instant, or as it is meant to be (P70). */
export type Revision = {
  /** Counts from 1 in each record. */
  number: number;
  /** The newest revision that is published or retired is in force. */
  state: 'published' | 'draft' | 'scheduled' | 'retired';
  /** The whole record; of a retired one, as it was last. */
  value: RecordValue;
  /** The number of the revision that it was made from; null for the first. */
  base: number | null;
  author: Author;
  at: Date;
  /** Set for scheduled revisions only. */
  publishAt: Date | null;
  note: string | null;
};

/** Kinds whose slug may change (P3). */
export const renamableKinds: readonly RecordKind[] = ['course', 'combo'];

/** Takes the content apart into records. */
export function recordsOf(content: RecordedContent): ContentRecord[] {
  const records: ContentRecord[] = singles.map((kind) => ({ kind, key: kind, value: { ...content[kind] } }));
  for (const kind of listKinds) {
    const { name, key } = lists[kind];
    const list: Record<string, unknown>[] = content[name];
    list.forEach((item, at) => {
      records.push({ kind, key: String(item[key]), value: { ...item, at } });
    });
  }
  for (const course of content.courses) records.push({ kind: 'course', key: course.slug, value: { ...course } });
  for (const module of content.modules) records.push({ kind: 'module', key: moduleKey(module), value: { ...module } });
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
export function contentOf(records: readonly ContentRecord[]): RecordedContent {
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
  return parts as RecordedContent;
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
  } else if (['certification', 'hero slide', 'resource', 'module'].includes(kind)) {
    changed.course = rename(text(value.course));
  } else return record;
  return { ...record, value: { ...value, ...changed } };
}

/** Records with their new slugs: records that name a renamed one follow it. */
export function withFinalSlugs(records: readonly ContentRecord[]): ContentRecord[] {
  const courses = new Map(
    records.filter(({ kind }) => kind === 'course').map(({ key, value }) => [key, text(value.slug)]),
  );
  return records.map((record) => renameCourses(record, (slug) => courses.get(slug) ?? slug));
}

/** The changes that turn the published records into the wished ones. */
export function changesBetween(published: readonly ContentRecord[], wished: readonly ContentRecord[]): RecordChange[] {
  const idOf = ({ kind, key }: ContentRecord) => `${kind} ${key}`;
  const before = new Map(published.map((record) => [idOf(record), record]));
  const after = new Set(wished.map(idOf));
  return [
    ...wished.flatMap((record) => {
      const was = before.get(idOf(record))?.value ?? null;
      const { kind, key, value: now } = record;
      return was && fieldsChanged(was, now).length === 0 ? [] : [{ kind, key, was, now }];
    }),
    ...published
      .filter((record) => !after.has(idOf(record)))
      .map(({ kind, key, value }) => ({ kind, key, was: value, now: null })),
  ];
}

/** The changes that give a record another slug. */
export const renamedBy = (changes: readonly RecordChange[]): { kind: RecordKind; key: string; to: string }[] =>
  changes.flatMap(({ kind, key, was, now }) =>
    was && now && renamableKinds.includes(kind) && now.slug !== was.slug ? [{ kind, key, to: text(now.slug) }] : [],
  );

/** The revision in force: the newest that is published or retired. Undefined when there are only drafts. */
export function currentOf(revisions: readonly Revision[]): Revision | undefined {
  return revisions.filter(({ state }) => state === 'published' || state === 'retired').at(-1);
}

/**
 * The parts that reverting the texts of a record keeps: its address and place, because links and lists use them, and
 * prices, which have a ledger of their own (P76).
 */
const staysAsItIs = ['slug', 'aliases', 'at', 'price', 'originalPrice'];

/** The value of an earlier revision as it can be published again after the latest one. */
export function valueToRevertTo(earlier: RecordValue, latest: RecordValue): RecordValue {
  const staying = (value: RecordValue, stays: boolean) =>
    Object.fromEntries(Object.entries(value).filter(([field]) => staysAsItIs.includes(field) === stays));
  return { ...staying(earlier, false), ...staying(latest, true) };
}
