import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { centsFromDollars } from '#app/lib/money.ts';
import type { CourseContent } from './course-schema.ts';
import { documentNames } from './documents.ts';
import { type ExtraWeeks, extraWeeksOf } from './holidays.ts';
import type { Plan } from './plan.ts';
import type { RecordKind } from './records.ts';
import type { Content } from './schema.ts';
import {
  forgetAliases,
  type Ids,
  idOf,
  idsOf,
  type Renamable,
  renamable,
  writeAliases,
} from './write-aliases.server.ts';
import { insertAll, upsert } from './write-rows.server.ts';

/** Tables whose rows are one record each, and are retired rather than deleted: enrolments and invoices point at them. */
const tableOf = {
  category: 'categories',
  track: 'tracks',
  instructor: 'instructors',
  course: 'courses',
  'certification group': 'certification_groups',
  certification: 'certifications',
  'training session': 'training_sessions',
  combo: 'combos',
} as const satisfies Partial<Record<RecordKind, string>>;

/**
 * Writes what the plan names, and only that. `content` is the whole as it shall be afterwards; records that are not in
 * it any more are retired at `now`. `extra` is by how many weeks its sessions were moved beyond the others.
 */
export async function applyPlan(
  trx: Db,
  plan: Plan,
  { content, extra }: { content: Content; extra: ExtraWeeks },
  now: Date,
): Promise<void> {
  const slugNow = new Map(plan.renamed.map(({ kind, key, to }) => [`${kind} ${key}`, to]));
  const touched = new Set(
    [...plan.added, ...plan.changed].map(({ kind, key }) => `${kind} ${slugNow.get(`${kind} ${key}`) ?? key}`),
  );
  const toWrite = <T extends { slug: string }>(kind: RecordKind, list: readonly T[]) =>
    list.map((item, position) => ({ item, position })).filter(({ item }) => touched.has(`${kind} ${item.slug}`));

  const courses = toWrite('course', content.courses).map(({ item }) => item);
  const sessions = toWrite('training session', content.trainingSessions).map(({ item }) => item);
  const combos = toWrite('combo', content.combos);

  // Former slugs are given up first, so that another record can take one in the same import.
  for (const [kind, written] of [
    ['course', courses],
    ['training session', sessions],
    ['combo', combos.map(({ item }) => item)],
  ] as const) {
    const retired = plan.retired.filter((record) => record.kind === kind).map(({ key }) => key);
    const renamed = plan.renamed.filter((record) => record.kind === kind).map(({ key }) => key);
    await forgetAliases(trx, kind, [...retired, ...renamed, ...written.map(({ slug }) => slug)]);
  }
  for (const { kind, key } of plan.retired) {
    if (!Object.hasOwn(tableOf, kind)) continue;
    const table = tableOf[kind as keyof typeof tableOf];
    await trx.updateTable(table).set({ retired_at: now }).where('slug', '=', key).execute();
  }
  for (const { kind, key, to } of plan.renamed) {
    if (!Object.hasOwn(renamable, kind)) continue;
    await trx
      .updateTable(renamable[kind as Renamable].table)
      .set({ slug: to })
      .where('slug', '=', key)
      .execute();
  }

  await writeDocuments(trx, plan, content);
  await writeLists(trx, content, toWrite);
  await upsert(trx, 'courses', 'slug', courses.map(courseRow));
  const courseIds = await idsOf(trx, 'course');
  await writeCourseParts(trx, courses, courseIds);
  await writeCertifications(trx, content, toWrite, courseIds);
  await upsert(
    trx,
    'training_sessions',
    'slug',
    sessions.map((session) => sessionRow(session, courseIds, extra)),
  );
  await writeAliases(trx, 'training session', sessions, await idsOf(trx, 'training session'));
  await writeCombos(trx, combos, courseIds);
}

type ToWrite = <T extends { slug: string }>(kind: RecordKind, list: readonly T[]) => { item: T; position: number }[];
/** Lists kept whole are written whole when any member of theirs is to change. */
async function writeDocuments(trx: Db, plan: Plan, content: Content): Promise<void> {
  const kinds = new Set([...plan.added, ...plan.changed, ...plan.retired].map(({ kind }) => kind));
  const rows = Object.entries(documentNames)
    .filter(([, kind]) => kinds.has(kind))
    .map(([name]) => ({ name, body: JSON.stringify(content[name as keyof typeof documentNames]) }));
  // A list without members is still a list.
  const missing = await trx.selectFrom('site_content').select('name').execute();
  const have = new Set([...missing, ...rows].map(({ name }) => name));
  for (const name of Object.keys(documentNames)) {
    if (!have.has(name)) rows.push({ name, body: JSON.stringify(content[name as keyof typeof documentNames]) });
  }
  await upsert(trx, 'site_content', 'name', rows);
}

async function writeLists(trx: Db, content: Content, toWrite: ToWrite): Promise<void> {
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

async function writeCourseParts(trx: Db, courses: CourseContent[], ids: Ids): Promise<void> {
  await replaceParts(
    trx,
    'course_tracks',
    courses.map(({ slug, tracks }) => ({
      owner: idOf(ids, slug),
      rows: tracks.map((track_slug, position) => ({ track_slug, position })),
    })),
  );
  await replaceParts(
    trx,
    'course_relations',
    courses.map(({ slug, needs = [], leadsTo = [] }) => ({
      owner: idOf(ids, slug),
      rows: [
        ...needs.map((other, position) => ({ relation: 'needs', other_id: idOf(ids, other), position })),
        ...leadsTo.map((other, position) => ({ relation: 'leads-to', other_id: idOf(ids, other), position })),
      ],
    })),
  );
  await writeAliases(trx, 'course', courses, ids);
}

async function replaceParts(
  trx: Db,
  table: 'course_tracks' | 'course_relations',
  parts: { owner: number; rows: Record<string, unknown>[] }[],
): Promise<void> {
  if (parts.length === 0) return;
  await trx
    .deleteFrom(table)
    .where('course_id', 'in', sql<number>`(select unnest(${parts.map(({ owner }) => owner)}::bigint[]))`)
    .execute();
  await insertAll(
    trx,
    table,
    parts.flatMap(({ owner, rows }) => rows.map((row) => ({ course_id: owner, ...row }))),
  );
}

async function writeCertifications(trx: Db, content: Content, toWrite: ToWrite, courseIds: Ids): Promise<void> {
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
      course_id: idOf(courseIds, item.course),
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
    })),
  );
}

async function writeCombos(
  trx: Db,
  combos: { item: Content['combos'][number]; position: number }[],
  courseIds: Ids,
): Promise<void> {
  await upsert(
    trx,
    'combos',
    'slug',
    combos.map(({ item: { slug, title, description, discountPercent }, position }) => ({
      slug,
      title,
      description,
      discount_percent: discountPercent,
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
  await writeAliases(trx, 'combo', items, ids);
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
    rating: course.rating,
    published_on: course.published,
    instructor_slug: course.instructor,
    exams: course.exams ?? [],
    description: course.description,
    overview: course.overview,
    objectives: course.objectives,
    curriculum: JSON.stringify(course.curriculum),
    prerequisites: course.prerequisites,
    credential: course.credential,
    guided: course.guided ?? false,
    retired_at: null,
  };
}

function sessionRow(session: Content['trainingSessions'][number], courseIds: Ids, extra: ExtraWeeks) {
  return {
    slug: session.slug,
    course_id: idOf(courseIds, session.course),
    starts_on: session.startDate,
    ends_on: session.endDate,
    starts_at: session.startTime,
    ends_at: session.endTime,
    break_minutes: session.breakMinutes ?? 0,
    extra_weeks: extraWeeksOf(extra, session) ?? 0,
    zone: session.zone,
    delivery: session.delivery,
    venue: session.venue ?? null,
    room: session.room ?? null,
    street: session.street ?? null,
    joining_link: session.joiningLink ?? null,
    instructor_slug: session.instructor,
    capacity: session.capacity,
    minimum: session.minimum,
    decided_by: session.decidedBy ?? null,
    enrolment_ends_on: session.enrolmentEnds,
    retired_at: null,
  };
}
