import { z } from 'zod';
import type { Db } from '../../db/client.server.ts';
import type { Level } from '../../lib/levels.ts';
import { hotAbove } from '../../lib/popularity.ts';
import { questLinesOf } from './quest-lines.ts';
import {
  combosOf,
  promotionOf,
  readCertificationGroups,
  readDocuments,
  readSessions,
  siteOf,
} from './read-programme.server.ts';
import { compareText, mostPopularOf, newestOf, tierOf, xpOf } from './rules.ts';
import type { CourseDetails, ListedCourse, Snapshot } from './snapshot.ts';

/** Reads all of the catalogue that lists need, at one version. */
export async function readSnapshot(db: Db): Promise<Snapshot> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const state = await trx
        .selectFrom('catalogue_state')
        .select(['version', 'first_imported_at'])
        .executeTakeFirstOrThrow();
      const categories = await trx.selectFrom('categories').selectAll().orderBy('position').execute();
      const tracks = await trx
        .selectFrom('tracks')
        .select(['slug', 'name', 'treasure', 'description'])
        .where('retired_at', 'is', null)
        .orderBy('position')
        .execute();
      const instructorRows = await trx
        .selectFrom('instructors')
        .select(['slug', 'name', 'expertise', 'experience', 'biography'])
        .execute();
      const instructors = new Map(instructorRows.map((instructor) => [instructor.slug, instructor]));
      const aliases = await trx.selectFrom('course_aliases').select(['alias', 'course_slug']).execute();
      const courses = await readListedCourses(trx, new Map(categories.map((category) => [category.slug, category])));
      const bySlug = new Map(courses.map((course) => [course.card.slug, course]));
      const documents = await readDocuments(trx);
      const certificationGroups = await readCertificationGroups(trx, bySlug);
      return {
        version: state.version,
        courses,
        bySlug,
        aliases: new Map(aliases.map(({ alias, course_slug }) => [alias, course_slug])),
        categories: categories
          .filter(({ retired_at }) => retired_at === null)
          .map(({ slug, name, treasure, filter_position }) => ({
            slug,
            name,
            treasure,
            inFilter: filter_position !== null,
          })),
        tracks,
        instructors,
        certificationGroups,
        sessions: await readSessions(trx, bySlug, instructors),
        combos: combosOf(documents.combos, bySlug),
        questLines: questLinesOf(documents.questLines, bySlug, certificationGroups),
        exams: new Map(documents.exams.map((exam) => [exam.code, exam])),
        promotion: promotionOf(documents.promotion, state.first_imported_at ?? new Date(0)),
        texts: documents,
        site: siteOf(documents.site),
      };
    });
}

/** The version the database holds now; cheap enough to ask every second. */
export async function readVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow();
  return version;
}

async function readListedCourses(
  trx: Db,
  categories: ReadonlyMap<string, { name: string; treasure: string }>,
): Promise<ListedCourse[]> {
  const rows = await trx
    .selectFrom('courses')
    .select(['slug', 'title', 'description', 'category_slug', 'level', 'price_cents', 'original_price_cents'])
    .select([
      'hours',
      'learners',
      'rating',
      'published_on',
      'instructor_slug',
      'exams',
      'needs',
      'leads_to',
      'revision',
    ])
    .where('retired_at', 'is', null)
    .execute();
  const trackRows = await trx
    .selectFrom('course_tracks')
    .select(['course_slug', 'track_slug'])
    .orderBy('position')
    .execute();
  const tracksOf = Map.groupBy(trackRows, ({ course_slug }) => course_slug);

  const badged = rows.map((row) => ({ slug: row.slug, publishedOn: row.published_on, learners: row.learners }));
  const newest = newestOf(badged);
  const popular = mostPopularOf(badged);
  return rows
    .map((row): ListedCourse => {
      const category = categories.get(row.category_slug);
      // The column's check constraint allows no other.
      const level = row.level as Level;
      return {
        card: {
          slug: row.slug,
          title: row.title,
          description: row.description,
          category: { slug: row.category_slug, name: category?.name ?? row.category_slug },
          treasure: category?.treasure ?? 'shield',
          level,
          tier: tierOf[level],
          priceCents: row.price_cents,
          originalPriceCents: row.original_price_cents,
          hours: row.hours,
          learners: row.learners,
          rating: row.rating,
          xp: xpOf({ hours: row.hours, level }),
          isHot: row.learners > hotAbove,
          isNew: newest.has(row.slug),
          isPopular: popular.has(row.slug),
        },
        trackSlugs: (tracksOf.get(row.slug) ?? []).map(({ track_slug }) => track_slug),
        examCodes: row.exams,
        needs: row.needs,
        leadsTo: row.leads_to,
        instructorSlug: row.instructor_slug,
        publishedOn: row.published_on,
        searchText: `${row.title}\n${row.description}`.toLowerCase(),
        revision: row.revision,
      };
    })
    .sort((a, b) => b.card.learners - a.card.learners || compareText(a.card.slug, b.card.slug));
}

const curriculumBody = z.array(z.object({ module: z.string(), topics: z.array(z.string()) }));

/** The long parts of the courses named, each with the revision it was read at. */
export async function readDetails(db: Db, slugs: string[]): Promise<Map<string, CourseDetails & { revision: number }>> {
  if (slugs.length === 0) return new Map();
  const rows = await db
    .selectFrom('courses')
    .select(['slug', 'overview', 'objectives', 'curriculum', 'prerequisites', 'certification', 'revision'])
    .where('slug', 'in', slugs)
    .where('retired_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ slug, curriculum, ...row }) => [slug, { ...row, curriculum: curriculumBody.parse(curriculum) }]),
  );
}
