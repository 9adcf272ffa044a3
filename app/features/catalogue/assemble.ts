import { compareText } from '#app/lib/compare-text.ts';
import type { Cents } from '#app/lib/money.ts';
import { hotAbove } from '#app/lib/popularity.ts';
import type { Catalogue, ListedCourse } from './catalogue.ts';
import { foldSubject, foldText, searchTextOf } from './folding.ts';
import { theBrief } from './price-proofs.ts';
import type { CatalogueFrame, CourseRow } from './queries.server.ts';
import { questLinesOf } from './quest-lines.ts';
import { newestShare, popularShare, tierOf, xpOf } from './rules.ts';
import type { Sort } from './schema.ts';
import { foldSynonyms } from './synonyms.ts';

type Order = (a: ListedCourse, b: ListedCourse) => number;

/** The order Newest uses the rule of the badge NEW; courses of the same day are in the order of their slugs (P5). */
export const orders: Record<Sort, Order> = {
  popular: byPopularity,
  newest: (a, b) => compareText(b.publishedOn, a.publishedOn) || compareText(a.card.slug, b.card.slug),
  'price-low': (a, b) => a.card.priceCents - b.card.priceCents || byPopularity(a, b),
  'price-high': (a, b) => b.card.priceCents - a.card.priceCents || byPopularity(a, b),
  shortest: (a, b) => a.card.hours - b.card.hours || byPopularity(a, b),
};

/** Ties are broken by popularity, then by slug. */
function byPopularity(a: ListedCourse, b: ListedCourse): number {
  return b.card.learners - a.card.learners || compareText(a.card.slug, b.card.slug);
}

/**
 * The catalogue from its rows. `previous` is the catalogue before a change: what did not change is taken over from it,
 * and its orders are nearly right, so that one edited course costs little however many there are.
 */
export function assembleCatalogue(rows: readonly CourseRow[], frame: CatalogueFrame, previous?: Catalogue): Catalogue {
  const { byId, popular, newest } = withBadges(listed(rows, frame, previous), previous);
  const bySlug = new Map<string, ListedCourse>();
  for (const course of popular) bySlug.set(course.card.slug, course);
  const aliases = new Map<string, string>();
  for (const row of rows) for (const alias of row.aliases) aliases.set(alias, row.slug);
  const certificationGroups = frame.certificationGroups.map((group) => ({
    ...group,
    certifications: group.certifications.flatMap(({ courseId, ...certification }) => {
      const course = byId.get(courseId)?.card;
      return course ? [{ ...certification, course }] : [];
    }),
  }));
  const catalogue = { courses: popular, bySlug, byId, aliases };
  return {
    ...catalogue,
    orders: {
      popular,
      newest,
      'price-low': ordered(byId, previous?.orders['price-low'] ?? popular, orders['price-low']),
      'price-high': ordered(byId, previous?.orders['price-high'] ?? popular, orders['price-high']),
      shortest: ordered(byId, previous?.orders.shortest ?? popular, orders.shortest),
    },
    categories: frame.categories
      .filter(({ retired }) => !retired)
      .map(({ slug, name, icon, inFilter }) => ({ slug, name, icon, inFilter })),
    tracks: frame.tracks,
    instructors: new Map(frame.instructors.map((instructor) => [instructor.slug, instructor])),
    certificationGroups,
    questLines: questLinesOf(frame.questLines, catalogue, certificationGroups),
    exams: new Map(frame.exams.map((exam) => [exam.code, exam])),
    synonyms: foldSynonyms(frame.synonyms),
  };
}

type ById = ReadonlyMap<number, ListedCourse>;

/** The courses by id. One whose row is as it was stays the same object, badges included. */
function listed(rows: readonly CourseRow[], frame: CatalogueFrame, previous: Catalogue | undefined): ById {
  const categories = new Map(frame.categories.map((category) => [category.slug, category]));
  const names = new Map(frame.instructors.map(({ slug, name }) => [slug, name]));
  const courses = new Map<number, ListedCourse>();
  for (const row of rows) {
    const before = previous?.byId.get(row.id);
    const category = categories.get(row.categorySlug);
    const original = shownOriginal(row, frame);
    const instructor = names.get(row.instructorSlug) ?? '';
    const same =
      before?.revision === row.revision &&
      before.card.category.name === category?.name &&
      before.card.icon === category?.icon &&
      before.card.originalPriceCents === original &&
      before.instructor === instructor;
    courses.set(row.id, same ? before : listedCourse(row, category, { originalPriceCents: original, instructor }));
  }
  return courses;
}

/** The original price as pages show it. An owner can hide a price that only the brief proves (P106). */
const shownOriginal = ({ originalPriceCents, originalProof }: CourseRow, frame: CatalogueFrame): Cents | null =>
  frame.site.hideUnprovedPrices && originalProof?.proof === theBrief ? null : originalPriceCents;

/** The badges depend on the whole catalogue: a course that earns or loses one becomes another object. */
function withBadges(courses: ById, previous: Catalogue | undefined) {
  const popular = ordered(courses, previous?.orders.popular, orders.popular);
  const newest = ordered(courses, previous?.orders.newest, orders.newest);
  const isNew = new Set(newest.slice(0, Math.floor(courses.size * newestShare)));
  const isPopular = new Set(popular.slice(0, Math.floor(courses.size * popularShare)));
  const byId = new Map(courses);
  for (const [id, course] of courses) {
    const badges = { isNew: isNew.has(course), isPopular: isPopular.has(course) };
    if (course.card.isNew === badges.isNew && course.card.isPopular === badges.isPopular) continue;
    byId.set(id, { ...course, card: { ...course.card, ...badges } });
  }
  const current = (list: ListedCourse[]) => list.map((course) => byId.get(course.id) ?? course);
  return { byId, popular: current(popular), newest: current(newest) };
}

function listedCourse(
  row: CourseRow,
  category: { name: string; icon: string } | undefined,
  { originalPriceCents, instructor }: { originalPriceCents: Cents | null; instructor: string },
): ListedCourse {
  const { slug, title, description, level, hours, learners, rating } = row;
  const categoryName = category?.name ?? row.categorySlug;
  return {
    id: row.id,
    priceId: row.priceId,
    originalProof: row.originalProof,
    priceSince: row.priceSince,
    card: {
      slug,
      title,
      description,
      category: { slug: row.categorySlug, name: categoryName },
      icon: category?.icon ?? 'shield',
      level,
      tier: tierOf[level],
      priceCents: row.priceCents,
      originalPriceCents,
      hours,
      learners,
      rating,
      xp: xpOf({ hours, level }),
      isHot: learners > hotAbove,
      isNew: false,
      isPopular: false,
      guided: row.guided,
    },
    trackSlugs: row.trackSlugs,
    examCodes: row.examCodes,
    needs: row.needs,
    leadsTo: row.leadsTo,
    instructorSlug: row.instructorSlug,
    instructor,
    publishedOn: row.publishedOn,
    changedAt: row.changedAt,
    searchText: searchTextOf(row),
    names: foldText(title, ...row.examCodes),
    subject: foldSubject({ title, description, category: { name: categoryName }, level, instructor }, row.examCodes),
    revision: row.revision,
  };
}

/** Sorts the courses. Starts from their former order, in which only changed courses are out of place. */
function ordered(courses: ById, before: readonly ListedCourse[] | undefined, order: Order): ListedCourse[] {
  const list: ListedCourse[] = [];
  const known = new Set<number>();
  for (const { id } of before ?? []) {
    known.add(id);
    const course = courses.get(id);
    if (course) list.push(course);
  }
  if (list.length < courses.size) for (const course of courses.values()) if (!known.has(course.id)) list.push(course);
  return list.sort(order);
}
