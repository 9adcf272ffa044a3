import type { Db } from '#app/db/client.server.ts';
import type { ExtraWeeks } from './holidays.ts';
import { makeSessions } from './make-sessions.server.ts';
import type { Plan, ToWrite } from './plan.ts';
import type { RecordKind } from './records.ts';
import type { Content } from './schema.ts';
import { forgetAliases, type Renamable, renamable } from './write-aliases.server.ts';
import { writeCertifications } from './write-certifications.server.ts';
import { writeCombos } from './write-combos.server.ts';
import { writeCourses } from './write-courses.server.ts';
import { writeDocuments, writeLists } from './write-lists.server.ts';
import { writeModules } from './write-modules.server.ts';

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

/**
 * Writes only the records that the plan names. `content` is the whole content afterwards, with new training sessions
 * only; records that it no longer has are retired at `now`. `extra` has the extra weeks by which new sessions were
 * moved.
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
  const toWrite: ToWrite = (kind, list) =>
    list.map((item, position) => ({ item, position })).filter(({ item }) => touched.has(`${kind} ${item.slug}`));

  const courses = toWrite('course', content.courses).map(({ item }) => item);
  const combos = toWrite('combo', content.combos);

  // Former slugs are given up first, so that another record can take one in the same import.
  for (const [kind, written] of [
    ['course', courses],
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
  const courseIds = await writeCourses(trx, courses);
  await writeCertifications(trx, content, toWrite, courseIds);
  await writeModules(trx, plan, content.modules, { ids: courseIds, now });
  await writeCombos(trx, combos, courseIds);
  await makeSessions(trx, content.trainingSessions, courseIds, extra, now);
}
