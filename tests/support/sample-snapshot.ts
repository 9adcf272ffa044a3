import { orders } from '#app/features/catalogue/assemble.ts';
import type { ListedCourse } from '#app/features/catalogue/catalogue.ts';
import { foldText } from '#app/features/catalogue/folding.ts';
import { tierOf } from '#app/features/catalogue/rules.ts';
import type { Sort } from '#app/features/catalogue/schema.ts';
import { foldSynonyms } from '#app/features/catalogue/synonyms.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { Level } from '#app/lib/levels.ts';

type Parts = {
  title?: string;
  description?: string;
  category?: string;
  tracks?: string[];
  level?: Level;
  price?: number;
  hours?: number;
  publishedOn?: string;
  exams?: string[];
  needs?: number[];
  leadsTo?: number[];
};

/** A course as listed. `at` is its place in the default order: the higher it is, the fewer learners the course has. */
export function listedCourse(at: number, parts: Parts = {}): ListedCourse {
  const title = parts.title ?? `Course ${at}`;
  const description = parts.description ?? `Description of ${at}`;
  const level = parts.level ?? 'Beginner';
  return {
    id: at,
    priceId: at,
    originalProof: null,
    priceSince: '2025-09-08',
    card: {
      slug: `course-${at}`,
      title,
      description,
      category: { slug: parts.category ?? 'soc', name: parts.category ?? 'SOC' },
      icon: 'eye',
      level,
      tier: tierOf[level],
      priceCents: (parts.price ?? 1500) * 100,
      originalPriceCents: null,
      hours: parts.hours ?? 30,
      learners: 100_000 - at,
      rating: 4.8,
      xp: 1200,
      isHot: false,
      isNew: false,
      isPopular: false,
      guided: false,
    },
    trackSlugs: parts.tracks ?? [],
    examCodes: parts.exams ?? [],
    needs: parts.needs ?? [],
    leadsTo: parts.leadsTo ?? [],
    instructorSlug: 'mara',
    instructor: 'Mara Whitlock',
    publishedOn: parts.publishedOn ?? '2025-01-01',
    changedAt: new Date('2025-09-08T00:00:00Z'),
    searchText: `${title}\n${description}`.toLowerCase(),
    names: foldText(title, ...(parts.exams ?? [])),
    subject: foldText(title, ...(parts.exams ?? []), description, parts.category ?? 'SOC', level),
    revision: at,
  };
}

export function snapshotOf(courses: ListedCourse[], parts: Partial<Snapshot> = {}): Snapshot {
  const orderedBy = (sort: Sort) => courses.toSorted(orders[sort]);
  return {
    versions: { courses: 1, seats: 1, catalogue: 1 },
    courses,
    bySlug: new Map(courses.map((course) => [course.card.slug, course])),
    byId: new Map(courses.map((course) => [course.id, course])),
    orders: {
      popular: orderedBy('popular'),
      newest: orderedBy('newest'),
      'price-low': orderedBy('price-low'),
      'price-high': orderedBy('price-high'),
      shortest: orderedBy('shortest'),
    },
    aliases: new Map(),
    categories: [],
    tracks: [],
    instructors: new Map(),
    certificationGroups: [],
    courseDates: [],
    courseDateAliases: new Map(),
    calendarRecords: new Map(),
    combos: [],
    comboAliases: new Map(),
    questLines: [],
    exams: new Map(),
    synonyms: foldSynonyms([]),
    changes: new Map(),
    promotion: { subject: 'Combos', endsAt: '2025-09-12T00:00:00Z' },
    texts: { heroSlides: [], partners: [], claims: [], pages: [], faq: [], resources: [], attending: null },
    site: {
      name: 'Academy',
      legalName: 'Academy Pty Ltd',
      abn: '89 000 000 019',
      email: 'a@b.example',
      phone: '',
      street: '1 Street',
      city: 'Brisbane',
      state: 'Queensland',
      postcode: '4000',
      copyrightYear: 2024,
      social: [],
    },
    bookings: {
      advisers: 2,
      pause: 10,
      breaks: [],
      lengths: { 'career-counseling': 30, 'virtual-tour': 20 },
      holidays: new Set(),
    },
    termsId: 1,
    ...parts,
  };
}
