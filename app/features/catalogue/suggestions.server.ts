import { LRUCache } from 'lru-cache';
import MiniSearch from 'minisearch';
import { href } from 'react-router';
import type { Catalogue, ListedCourse } from './catalogue.ts';
import { beginsAWord, type FoldedText, foldText } from './folding.ts';
import { meaningsOf } from './synonyms.ts';

export type Suggestion = { kind: 'Course' | 'Category' | 'Track' | 'Certification'; label: string; address: string };

export type Suggester = {
  /**
   * At most `limit` suggestions for what was typed so far (P11): names that begin with it, then those in which a word or
   * an exam code does, then what it is a synonym for, then those that forgive typing mistakes.
   */
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
type Source = Pick<Catalogue, 'courses' | 'byId' | 'categories' | 'tracks' | 'certificationGroups' | 'synonyms'>;
/** What may be suggested, and what it is found by. */
type Named = { entry: Pick<Entry, 'kind' | 'label' | 'slug'>; names: FoldedText };

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
  // What was typed most recently: everybody begins with the same few letters.
  const answers = new LRUCache<string, Suggestion[]>({ max: 1000 });
  let courses: ReadonlyMap<number, ListedCourse> = new Map();
  let others: Entry[] = [];
  // In the order in which equally good ones are suggested.
  let named: Named[] = [];
  let { synonyms } = catalogue;
  update(catalogue);

  /** Only what differs is taken out and put in: one edited course of thousands costs next to nothing. */
  function update(next: Source): void {
    for (const [id, course] of courses) if (next.byId.get(id) !== course) index.discard(`course ${id}`);
    for (const [id, course] of next.byId) if (courses.get(id) !== course) index.add(courseEntry(course));
    courses = next.byId;
    for (const { id } of others) index.discard(id);
    others = otherEntries(next);
    index.addAll(others);
    named = [
      ...others.map((entry) => ({ entry, names: foldText(entry.label) })),
      ...next.courses.map(({ card, names }) => ({
        entry: { kind: 'Course' as const, label: card.title, slug: card.slug },
        names,
      })),
    ];
    synonyms = next.synonyms;
    answers.clear();
  }

  const search = (text: string, kinds: readonly Suggestion['kind'][], combineWith: 'AND' | 'OR') =>
    index.search(text.slice(0, longestQuery), { combineWith, filter: (hit) => kinds.includes(hit.kind) });

  return {
    update,
    suggest(text, limit) {
      const key = `${limit} ${text.slice(0, longestQuery)}`;
      const known = answers.get(key);
      if (known) return known;
      const found = new Map<string, Suggestion>();
      const add = ({ kind, label, slug }: Named['entry']) => {
        if (found.size < limit) found.set(`${kind} ${slug}`, { kind, label, address: addressOf(kind, slug) });
      };
      for (const entry of bySpelling(named, meaningsOf(text.slice(0, longestQuery), synonyms), limit)) add(entry);
      if (found.size < limit) {
        const hits = search(text, ['Course', 'Category', 'Track', 'Certification'], 'AND');
        for (const { kind, label, slug } of hits.slice(0, limit)) add({ kind, label, slug });
      }
      const answer = [...found.values()];
      answers.set(key, answer);
      return answer;
    },
    closestCourses(text, limit) {
      return search(text, ['Course'], 'OR')
        .slice(0, limit)
        .map(({ slug, label }) => ({ slug, title: label }));
    },
  };
}

/** Those that begin with what was typed, then those in which a word does, then those that begin a word with its synonyms. */
function bySpelling(named: readonly Named[], [typed, ...synonyms]: string[], limit: number): Named['entry'][] {
  if (typed === undefined) return [];
  const begins: Named['entry'][] = [];
  const within: Named['entry'][] = [];
  const meant: Named['entry'][] = [];
  for (const { entry, names } of named) {
    if (names.text.startsWith(typed)) begins.push(entry);
    else if (within.length < limit && beginsAWord(names, typed)) within.push(entry);
    else if (meant.length < limit && synonyms.some((meaning) => beginsAWord(names, meaning))) meant.push(entry);
    if (begins.length === limit) break;
  }
  return [...begins, ...within, ...meant];
}

function courseEntry({ id, card }: ListedCourse): Entry {
  return {
    id: `course ${id}`,
    kind: 'Course',
    label: card.title,
    slug: card.slug,
    // Among equal matches the more popular course comes first.
    boost: 1 + (0.1 * card.learners) / (card.learners + 10_000),
  };
}

/** Categories that have a course, tracks that are no category too, and certifications. */
function otherEntries({ byId, categories, tracks, certificationGroups }: Source): Entry[] {
  const used = new Set<string>();
  for (const { card } of byId.values()) used.add(card.category.slug);
  const named = new Set(categories.map(({ slug }) => slug));
  const entry = (kind: Suggestion['kind'], boost: number) => {
    return ({ slug, name }: { slug: string; name: string }): Entry => {
      return { id: `${kind} ${slug}`, kind, label: name, slug, boost };
    };
  };
  return [
    ...categories.filter(({ slug }) => used.has(slug)).map(entry('Category', 1.2)),
    ...tracks.filter(({ slug }) => !named.has(slug)).map(entry('Track', 1.2)),
    ...certificationGroups.flatMap(({ certifications }) => certifications).map(entry('Certification', 1.1)),
  ];
}

function addressOf(kind: Suggestion['kind'], slug: string): string {
  if (kind === 'Course') return href('/course/:courseId', { courseId: slug });
  if (kind === 'Certification') return href('/certifications/:certificationId', { certificationId: slug });
  return `${href('/courses')}?category=${slug}`;
}
