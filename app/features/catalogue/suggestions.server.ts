import MiniSearch from 'minisearch';
import type { Catalogue } from './catalogue.ts';

export type Suggestion = { kind: 'Course' | 'Category' | 'Track' | 'Certification'; label: string; address: string };

export type Suggester = {
  /** At most `limit` suggestions for what was typed so far, best first; typing mistakes are forgiven (P11). */
  suggest(text: string, limit: number): Suggestion[];
  /** Courses whose titles come closest to a search that found nothing (P11). */
  closestCourses(text: string, limit: number): { slug: string; title: string }[];
  /** Follows a change of the catalogue. */
  update(next: Source): void;
};

// Longer texts are no typing in progress, and fuzzy matching costs by length.
const longestQuery = 100;

type Entry = {
  id: string;
  kind: Suggestion['kind'];
  label: string;
  slug: string;
  boost: number;
};
type Source = Pick<Catalogue, 'courses' | 'categories' | 'tracks' | 'certificationGroups'>;

/** Builds the index over course titles, categories, tracks and certifications. */
export function createSuggester(catalogue: Source): Suggester {
  const index = new MiniSearch<Entry>({
    fields: ['label'],
    storeFields: ['kind', 'label', 'slug', 'boost'],
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 3 ? 0.25 : false),
      combineWith: 'AND',
      boostDocument: (_id, _term, stored) => Number(stored?.boost ?? 1),
    },
  });
  let indexed = new Map<string, Entry>();
  update(catalogue);

  /** Only what differs is taken out and put in: one edited course of thousands costs next to nothing. */
  function update(next: Source): void {
    const entries = new Map(entriesOf(next).map((entry) => [entry.id, entry]));
    for (const [id, entry] of indexed) {
      const now = entries.get(id);
      if (now?.label === entry.label && now.slug === entry.slug && now.boost === entry.boost) entries.set(id, entry);
      else index.discard(id);
    }
    for (const entry of entries.values()) if (indexed.get(entry.id) !== entry) index.add(entry);
    indexed = entries;
  }

  const search = (text: string, kinds: readonly Suggestion['kind'][], combineWith: 'AND' | 'OR') =>
    index.search(text.slice(0, longestQuery), { combineWith, filter: (hit) => kinds.includes(hit.kind) });

  return {
    update,
    suggest(text, limit) {
      const hits = search(text, ['Course', 'Category', 'Track', 'Certification'], 'AND');
      return hits.slice(0, limit).map(({ kind, label, slug }) => ({ kind, label, address: addressOf(kind, slug) }));
    },
    closestCourses(text, limit) {
      return search(text, ['Course'], 'OR')
        .slice(0, limit)
        .map(({ slug, label }) => ({ slug, title: label }));
    },
  };
}

function entriesOf({ courses, categories, tracks, certificationGroups }: Source): Entry[] {
  const used = new Set(courses.map(({ card }) => card.category.slug));
  const named = new Set(categories.map(({ slug }) => slug));
  return [
    ...courses.map(({ id, card }) => ({
      id: `course ${id}`,
      kind: 'Course' as const,
      label: card.title,
      slug: card.slug,
      // Of equal matches the more popular course comes first.
      boost: 1 + (0.1 * card.learners) / (card.learners + 10_000),
    })),
    ...categories
      .filter(({ slug }) => used.has(slug))
      .map(({ slug, name }) => ({
        id: `category ${slug}`,
        kind: 'Category' as const,
        label: name,
        slug,
        boost: 1.2,
      })),
    ...tracks
      .filter(({ slug }) => !named.has(slug))
      .map(({ slug, name }) => ({ id: `track ${slug}`, kind: 'Track' as const, label: name, slug, boost: 1.2 })),
    ...certificationGroups
      .flatMap(({ certifications }) => certifications)
      .map(({ name, slug }) => ({
        id: `certification ${slug}`,
        kind: 'Certification' as const,
        label: name,
        slug,
        boost: 1.1,
      })),
  ];
}

function addressOf(kind: Suggestion['kind'], slug: string): string {
  const paths = {
    Course: '/course/',
    Category: '/courses?category=',
    Track: '/courses?category=',
    Certification: '/certifications/',
  };
  return paths[kind] + slug;
}
