import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { DB } from '#app/db/schema.ts';
import { centsFromDollars } from '#app/lib/money.ts';
import { type CourseContent, detailsOf } from './course-schema.ts';
import { type ModuleContent, moduleKey } from './module-schema.ts';
import {
  documentNames,
  keyOfValue,
  type RecordChange,
  type RecordedContent,
  type RecordKind,
  renamedBy,
} from './records.ts';

/** Tables whose rows are one record each, and are retired rather than deleted: enrolments and invoices point at them. */
const tableOf = {
  category: 'categories',
  track: 'tracks',
  instructor: 'instructors',
  course: 'courses',
  'certification group': 'certification_groups',
  certification: 'certifications',
  combo: 'combos',
} as const satisfies Partial<Record<RecordKind, string>>;

/** The members of a list that are to be written, each with its place in the list. */
type ToWrite = <T extends { slug: string }>(kind: RecordKind, list: readonly T[]) => { item: T; position: number }[];

/**
 * Writes changed records to the tables that pages read. `content` is the whole content afterwards; records that it does
 * not have any more are retired at `now`.
 */
export async function writeTables(
  trx: Db,
  changes: readonly RecordChange[],
  content: RecordedContent,
  now: Date,
): Promise<void> {
  const written = new Set(changes.flatMap(({ kind, now }) => (now ? `${kind} ${keyOfValue(kind, now)}` : [])));
  const toWrite: ToWrite = (kind, list) =>
    list.map((item, position) => ({ item, position })).filter(({ item }) => written.has(`${kind} ${item.slug}`));
  const courses = toWrite('course', content.courses).map(({ item }) => item);
  const combos = toWrite('combo', content.combos);
  const retired = changes.filter((change) => change.now === null);

  for (const { kind, key } of retired) {
    if (!Object.hasOwn(tableOf, kind)) continue;
    const table = tableOf[kind as keyof typeof tableOf];
    await trx.updateTable(table).set({ retired_at: now }).where('slug', '=', key).execute();
    // Another record may take its former slugs.
    if (isRenamable(kind))
      await trx.updateTable(renamable[kind]).set({ aliases: [] }).where('slug', '=', key).execute();
  }
  for (const { kind, key, to } of renamedBy(changes)) {
    if (isRenamable(kind)) await trx.updateTable(renamable[kind]).set({ slug: to }).where('slug', '=', key).execute();
  }

  await writeDocuments(trx, new Set(changes.map(({ kind }) => kind)), content, now);
  await writeLists(trx, content, toWrite);
  await upsert(trx, 'courses', 'slug', courses.map(courseRow));
  const courseIds = await idsOf(trx, 'course');
  await writeCertifications(trx, content, toWrite, { ids: courseIds, now });
  await retireModules(trx, retired, { ids: courseIds, now });
  await writeModules(
    trx,
    content.modules.filter((module) => written.has(`module ${moduleKey(module)}`)),
    courseIds,
  );
  await writeCombos(trx, combos, courseIds);
  if (changes.some(({ kind }) => kind !== 'course' && kind !== 'module')) await raiseCatalogueVersion(trx);
}

/** Makes every process renew what public pages show. A trigger does that for rows of courses. */
async function raiseCatalogueVersion(trx: Db): Promise<void> {
  await sql`update snapshot_versions set version = version + 1 where part = 'catalogue'`.execute(trx);
  await sql`notify snapshot`.execute(trx);
}

/** Writes the lists that are kept whole, by the kinds of their members. */
export async function writeDocuments(
  trx: Db,
  kinds: ReadonlySet<RecordKind>,
  content: RecordedContent,
  now: Date,
): Promise<void> {
  const rows = Object.entries(documentNames)
    .filter(([, kind]) => kinds.has(kind))
    .map(([name]) => ({ name, body: JSON.stringify(content[name as keyof typeof documentNames]), changed_at: now }));
  await upsert(trx, 'site_content', 'name', rows);
}

/** Categories, tracks and instructors. */
async function writeLists(trx: Db, content: RecordedContent, toWrite: ToWrite): Promise<void> {
  const filterSlugs = content.categories.filter(({ filter }) => filter).map(({ slug }) => slug);
  await upsert(
    trx,
    'categories',
    'slug',
    toWrite('category', content.categories).map(({ item: { slug, name, icon, filter }, position }) => ({
      slug,
      name,
      icon,
      filter_position: filter ? filterSlugs.indexOf(slug) + 1 : null,
      position,
      retired_at: null,
    })),
  );
  for (const [kind, table, list] of [
    ['track', 'tracks', content.tracks],
    ['instructor', 'instructors', content.instructors],
  ] as const) {
    const rows = toWrite(kind, list as { slug: string }[]);
    await upsert(
      trx,
      table,
      'slug',
      rows.map(({ item, position }) => ({ ...item, position, retired_at: null })),
    );
  }
}

function courseRow(course: CourseContent) {
  return {
    slug: course.slug,
    title: course.title,
    category_slug: course.category,
    level: course.level,
    price_cents: centsFromDollars(course.price),
    original_price_cents: course.originalPrice === undefined ? null : centsFromDollars(course.originalPrice),
    hours: course.hours,
    learners: course.learners,
    rating: course.rating ?? null,
    published_on: course.published,
    instructor_slug: course.instructor,
    aliases: course.aliases ?? [],
    tracks: course.tracks,
    exams: course.exams ?? [],
    needs: course.needs ?? [],
    leads_to: course.leadsTo ?? [],
    description: course.description,
    guided: course.guided ?? false,
    details: JSON.stringify(detailsOf(course)),
    retired_at: null,
  };
}

/** Certifications and their groups. */
async function writeCertifications(
  trx: Db,
  content: RecordedContent,
  toWrite: ToWrite,
  { ids, now }: { ids: Ids; now: Date },
): Promise<void> {
  await upsert(
    trx,
    'certification_groups',
    'slug',
    toWrite('certification group', content.certifications).map(({ item: { slug, title, description }, position }) => ({
      slug,
      title,
      description,
      position,
      retired_at: null,
    })),
  );
  const certifications = content.certifications.flatMap((group) =>
    group.certifications.map((certification, position) => ({ ...certification, group: group.slug, position })),
  );
  await upsert(
    trx,
    'certifications',
    'slug',
    toWrite('certification', certifications).map(({ item }) => ({
      slug: item.slug,
      group_slug: item.group,
      course_id: idOf(ids, item.course),
      name: item.name,
      provider: item.provider,
      description: item.description,
      pass_rate: item.passRate,
      pass_rate_source: item.passRateSource ?? null,
      job_roles: item.jobRoles,
      overview: item.overview,
      exam: JSON.stringify(item.exam),
      domains: item.domains,
      suits: item.suits,
      position: item.position,
      retired_at: null,
      changed_at: now,
    })),
  );
}

async function retireModules(
  trx: Db,
  retired: readonly RecordChange[],
  { ids, now }: { ids: Ids; now: Date },
): Promise<void> {
  for (const { kind, was } of retired) {
    if (kind !== 'module' || !was) continue;
    await trx
      .updateTable('course_modules')
      .set({ retired_at: now })
      .where('course_id', '=', idOf(ids, String(was.course)))
      .where('number', '=', Number(was.number))
      .execute();
  }
}

async function writeModules(trx: Db, modules: readonly ModuleContent[], ids: Ids): Promise<void> {
  await upsert(
    trx,
    'course_modules',
    ['course_id', 'number'],
    modules.map(({ course, number, title, body }) => ({
      course_id: idOf(ids, course),
      number,
      title,
      body,
      retired_at: null,
    })),
  );
}

/** Combos with their courses. */
async function writeCombos(
  trx: Db,
  combos: { item: RecordedContent['combos'][number]; position: number }[],
  courseIds: Ids,
): Promise<void> {
  await upsert(
    trx,
    'combos',
    'slug',
    combos.map(({ item: { slug, title, description, discountPercent, aliases = [] }, position }) => ({
      slug,
      title,
      description,
      discount_percent: discountPercent,
      aliases,
      position,
      retired_at: null,
    })),
  );
  const ids = await idsOf(trx, 'combo');
  const items = combos.map(({ item }) => item);
  const owners = items.map(({ slug }) => idOf(ids, slug));
  if (owners.length > 0) await trx.deleteFrom('combo_courses').where('combo_id', 'in', owners).execute();
  await insertAll(
    trx,
    'combo_courses',
    items.flatMap(({ slug, courses }) =>
      courses.map((course, position) => ({
        combo_id: idOf(ids, slug),
        course_id: idOf(courseIds, course),
        position,
      })),
    ),
  );
}

/** The tables of the kinds whose slug may change (P3): they keep the former ones. */
const renamable = { course: 'courses', combo: 'combos' } as const satisfies Partial<Record<RecordKind, string>>;
type Renamable = keyof typeof renamable;

const isRenamable = (kind: RecordKind): kind is Renamable => Object.hasOwn(renamable, kind);

/** Row ids by slug. */
export type Ids = ReadonlyMap<string, number>;

export async function idsOf(trx: Db, kind: Renamable): Promise<Ids> {
  const rows = await trx.selectFrom(renamable[kind]).select(['id', 'slug']).execute();
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/** The id of a slug that is known to be there. */
export function idOf(ids: Ids, slug: string): number {
  const id = ids.get(slug);
  if (id === undefined) throw new Error(`"${slug}" has no row`);
  return id;
}

// Well under PostgreSQL's 65,535 parameters a statement, at up to twenty columns.
const rowsPerStatement = 1000;

type Table = keyof DB & string;

/** Inserts rows of the same columns, in as many statements as it takes. */
export async function insertAll(
  trx: Db,
  table: Table,
  rows: Record<string, unknown>[],
  onConflict: (columns: string[]) => RawBuilder<unknown> = () => sql``,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    const columns = Object.keys(some[0] ?? {});
    const values = some.map((row) => sql`(${sql.join(columns.map((column) => sql.val(row[column])))})`);
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)} ${onConflict(columns)}`.execute(trx);
  }
}

/** Inserts rows, or updates those whose `key` is there already. */
async function upsert(trx: Db, table: Table, key: string | string[], rows: Record<string, unknown>[]): Promise<void> {
  const keys = [key].flat();
  await insertAll(trx, table, rows, (columns) => {
    const set = columns
      .filter((column) => !keys.includes(column))
      .map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
    return sql`on conflict (${sql.join(keys.map((name) => sql.ref(name)))}) do update set ${sql.join(set)}`;
  });
}
