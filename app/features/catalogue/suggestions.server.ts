import MiniSearch from 'minisearch';
import type { Snapshot } from './snapshot.ts';

export type Suggestion = { kind: 'Course' | 'Category' | 'Track' | 'Certification'; label: string; address: string };

export type Suggester = {
  /** At most `limit` suggestions for what was typed so far, best first; typing mistakes are forgiven (P11). */
  suggest(text: string, limit: number): Suggestion[];
  /** Courses whose titles come closest to a search that found nothing (P11). */
  closestCourses(text: string, limit: number): { slug: string; title: string }[];
};

// Longer texts are no typing in progress, and fuzzy matching costs by length.
const longestQuery = 100;

/** Builds the index over course titles, categories, tracks and certifications of one snapshot. */
export function createSuggester(snapshot: Snapshot): Suggester {
  type Entry = { id: number; kind: Suggestion['kind']; label: string; slug: string; boost: number };
  const entries: Omit<Entry, 'id'>[] = [
    ...snapshot.courses.map(({ card }, place) => ({
      kind: 'Course' as const,
      label: card.title,
      slug: card.slug,
      // Of equal matches the more popular course comes first.
      boost: 1 + 0.1 * (1 - place / snapshot.courses.length),
    })),
    ...snapshot.categories
      .filter(({ slug }) => snapshot.courses.some(({ card }) => card.category.slug === slug))
      .map(({ slug, name }) => ({ kind: 'Category' as const, label: name, slug, boost: 1.2 })),
    ...snapshot.tracks
      .filter(({ slug }) => !snapshot.categories.some((category) => category.slug === slug))
      .map(({ slug, name }) => ({ kind: 'Track' as const, label: name, slug, boost: 1.2 })),
    ...snapshot.certificationGroups
      .flatMap(({ certifications }) => certifications)
      .map(({ name, slug }) => ({ kind: 'Certification' as const, label: name, slug, boost: 1.1 })),
  ];
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
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));

  const search = (text: string, kinds: readonly Suggestion['kind'][], combineWith: 'AND' | 'OR') =>
    index.search(text.slice(0, longestQuery), { combineWith, filter: (hit) => kinds.includes(hit.kind) });

  return {
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

function addressOf(kind: Suggestion['kind'], slug: string): string {
  const paths = {
    Course: '/course/',
    Category: '/courses?category=',
    Track: '/courses?category=',
    Certification: '/certifications/',
  };
  return paths[kind] + slug;
}
