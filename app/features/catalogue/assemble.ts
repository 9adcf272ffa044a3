import { compareText } from '#app/lib/compare-text.ts';
import { hotAbove } from '#app/lib/popularity.ts';
import type { Catalogue, ListedCourse } from './catalogue.ts';
import type { CatalogueFrame, CourseRow } from './queries.server.ts';
import { questLinesOf } from './quest-lines.ts';
import { newestShare, popularShare, tierOf, xpOf } from './rules.ts';
import type { Sort } from './schema.ts';

type Order = (a: ListedCourse, b: ListedCourse) => number;

/** Of equals the more popular comes first, of those the first by slug. */
export const orders: Record<Sort, Order> = {
  popular: byPopularity,
  newest: (a, b) => compareText(b.publishedOn, a.publishedOn) || byPopularity(a, b),
  'price-low': (a, b) => a.card.priceCents - b.card.priceCents || byPopularity(a, b),
  'price-high': (a, b) => b.card.priceCents - a.card.priceCents || byPopularity(a, b),
  shortest: (a, b) => a.card.hours - b.card.hours || byPopularity(a, b),
};

function byPopularity(a: ListedCourse, b: ListedCourse): number {
  return b.card.learners - a.card.learners || compareText(a.card.slug, b.card.slug);
}

/** P5: of equally new ones the first by slug. */
const byNewness: Order = (a, b) => compareText(b.publishedOn, a.publishedOn) || compareText(a.card.slug, b.card.slug);

/**
 * The catalogue from its rows. `previous` is the catalogue before a change: what did not change is taken over from it,
 * and its orders are nearly right, so that one edited course costs little however many there are.
 */
export function assembleCatalogue(rows: readonly CourseRow[], frame: CatalogueFrame, previous?: Catalogue): Catalogue {
  const courses = listed(rows, frame, previous);
  const byId = new Map(courses.map((course) => [course.id, course]));
  const popular = ordered(byId, previous?.orders.popular, orders.popular);
  const bySlug = new Map(popular.map((course) => [course.card.slug, course]));
  const certificationGroups = frame.certificationGroups.map((group) => ({
    ...group,
    certifications: group.certifications.flatMap(({ courseId, ...certification }) => {
      const course = byId.get(courseId)?.card;
      return course ? [{ ...certification, course }] : [];
    }),
  }));
  const aliases = new Map(
    rows.flatMap(({ slug, aliases: former }) => former.map((alias): [string, string] => [alias, slug])),
  );
  const catalogue = { courses: popular, bySlug, byId, aliases };
  return {
    ...catalogue,
    orders: {
      popular,
      newest: ordered(byId, previous?.orders.newest ?? popular, orders.newest),
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
  };
}

/** The courses with their badges, which depend on all of them. One whose row and badges are as before stays the same object. */
function listed(rows: readonly CourseRow[], frame: CatalogueFrame, previous: Catalogue | undefined): ListedCourse[] {
  const categories = new Map(frame.categories.map((category) => [category.slug, category]));
  const plain = rows.map((row): ListedCourse => {
    const before = previous?.byId.get(row.id);
    const category = categories.get(row.categorySlug);
    const same = before?.revision === row.revision && before.card.category.name === category?.name;
    return same && before.card.icon === category?.icon ? before : listedCourse(row, category);
  });
  const newest = leading(plain, newestShare, byNewness);
  const popular = leading(plain, popularShare, byPopularity);
  return plain.map((course) => {
    const [isNew, isPopular] = [newest.has(course.id), popular.has(course.id)];
    if (course.card.isNew === isNew && course.card.isPopular === isPopular) return course;
    return { ...course, card: { ...course.card, isNew, isPopular } };
  });
}

function leading(courses: readonly ListedCourse[], share: number, order: Order): Set<number> {
  const sorted = courses.toSorted(order);
  return new Set(sorted.slice(0, Math.floor(courses.length * share)).map(({ id }) => id));
}

function listedCourse(row: CourseRow, category: { name: string; icon: string } | undefined): ListedCourse {
  const { slug, title, description, level, hours, learners } = row;
  return {
    id: row.id,
    card: {
      slug,
      title,
      description,
      category: { slug: row.categorySlug, name: category?.name ?? row.categorySlug },
      icon: category?.icon ?? 'shield',
      level,
      tier: tierOf[level],
      priceCents: row.priceCents,
      originalPriceCents: row.originalPriceCents,
      hours,
      learners,
      rating: row.rating,
      xp: xpOf({ hours, level }),
      isHot: learners > hotAbove,
      isNew: false,
      isPopular: false,
    },
    trackSlugs: row.trackSlugs,
    examCodes: row.examCodes,
    needs: row.needs,
    leadsTo: row.leadsTo,
    instructorSlug: row.instructorSlug,
    publishedOn: row.publishedOn,
    searchText: `${title}\n${description}`.toLowerCase(),
    revision: row.revision,
  };
}

/** The courses in an order. Starting from the order they had before, where only the changed ones stand wrongly. */
function ordered(
  courses: ReadonlyMap<number, ListedCourse>,
  before: readonly ListedCourse[] | undefined,
  order: Order,
): ListedCourse[] {
  const rest = new Map(courses);
  const start = (before ?? []).flatMap(({ id }) => {
    const course = rest.get(id);
    rest.delete(id);
    return course ?? [];
  });
  return [...start, ...rest.values()].sort(order);
}
