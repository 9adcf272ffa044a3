import { LRUCache } from 'lru-cache';
import { href } from 'react-router';
import type { Catalogue, ListedCourse } from './catalogue.ts';
import { beginsAWord, foldedWords, foldText, holdsFolded } from './folding.ts';
import { createHaystack, type Haystack } from './haystack.ts';
import { listCourses, type Nearest } from './listing.ts';
import { type Candidate, createNearest } from './nearest.server.ts';

import { noFilters } from './schema.ts';
import { readSearch } from './search-words.ts';

export type Suggestion = { kind: 'Course' | 'Category' | 'Track' | 'Certification'; label: string; address: string };

export type Suggester = {
  /**
   * At most `limit` suggestions for what was typed so far (P11): names that begin with it, then those in which a word
   * or an exam code does, then what it is a synonym for, then names that hold its words in any order, then what the
   * list finds. Only when there is none, those that forgive typing mistakes.
   */
  suggest(text: string, limit: number): Suggestion[];
  /** Courses nearest to a search that no course matches (P11). */
  nearest: Nearest;
  /** Follows a change of the catalogue. */
  update(next: Source): void;
};

// Longer texts are no typing in progress.
const longestQuery = 100;

type Source = Pick<
  Catalogue,
  'courses' | 'orders' | 'byId' | 'bySlug' | 'categories' | 'tracks' | 'certificationGroups' | 'synonyms'
>;
/** The things that can be suggested, with the texts that match them. */
type Named = Candidate & Pick<Suggestion, 'kind' | 'label'> & { slug: string };

/** Finds courses, categories, tracks and certifications by the beginning of a search. */
export function createSuggester(catalogue: Source): Suggester {
  // The latest answers: many people begin with the same few letters.
  const answers = new LRUCache<string, Suggestion[]>({ max: 1000 });
  const nearestKnown = new LRUCache<string, readonly string[]>({ max: 1000 });
  let courses: ReadonlyMap<number, { course: ListedCourse; named: Named }> = new Map();
  let others: Named[] = [];
  // In the order in which equally good ones are suggested.
  let named: Named[] = [];
  // Made when they are first wanted after a change.
  let namesAll: Haystack | null = null;
  let nearNamed: ReturnType<typeof createNearest<Named>> | null = null;
  let source = catalogue;
  update(catalogue);

  /** A course that did not change keeps its name: one edited course of thousands costs next to nothing. */
  function update(next: Source): void {
    const kept = new Map<number, { course: ListedCourse; named: Named }>();
    for (const { id } of next.courses) {
      const course = next.byId.get(id);
      const before = courses.get(id);
      if (course) kept.set(id, before?.course === course ? before : { course, named: namedCourse(course) });
    }
    courses = kept;
    others = otherNames(next);
    named = [...others, ...[...kept.values()].map((course) => course.named)];
    nearNamed = null;
    namesAll = null;
    source = next;
    answers.clear();
    nearestKnown.clear();
  }

  const nearest = (text: string, unfinished: boolean): Named[] => {
    nearNamed ??= createNearest(named);
    return nearNamed(text, source.synonyms, unfinished);
  };

  function suggest(text: string, limit: number): Suggestion[] {
    const found = new Set<Named>();
    const addAll = (more: Iterable<Named>) => {
      for (const one of more) if (found.size < limit) found.add(one);
    };
    const { phrases, words } = readSearch(text, source.synonyms);
    namesAll ??= createHaystack(named.map(({ names }) => names.text));
    addAll(bySpelling(named, namesAll, phrases, limit));
    if (found.size < limit && words.length > 0) {
      addAll(others.filter(({ names }) => words.every((word) => word.some((one) => holdsFolded(names, one)))));
    }
    if (found.size < limit && foldedWords(text).length > 0) {
      const { cards } = listCourses(source, { ...noFilters, search: text });
      addAll(cards.slice(0, limit).flatMap(({ slug }) => courses.get(source.bySlug.get(slug)?.id ?? 0)?.named ?? []));
    }
    if (found.size === 0) addAll(nearest(text, true));
    return [...found].map(({ kind, label, slug }) => ({ kind, label, address: addressOf(kind, slug) }));
  }

  return {
    update,
    suggest(text, limit) {
      const typed = text.slice(0, longestQuery);
      return known(answers, `${limit} ${typed}`, () => suggest(typed, limit));
    },
    nearest: (search) =>
      known(nearestKnown, search, () =>
        nearest(search, false).flatMap(({ kind, slug }) => (kind === 'Course' ? [slug] : [])),
      ),
  };
}

/** The remembered answer, or a new one. */
function known<T extends object>(answers: LRUCache<string, T>, key: string, find: () => T): T {
  const before = answers.get(key);
  if (before) return before;
  const answer = find();
  answers.set(key, answer);
  return answer;
}

/**
 * First titles that begin with the typed text, then titles with a word that does, then titles with a word that begins
 * with its synonyms.
 */
function bySpelling(named: readonly Named[], names: Haystack, phrases: string[], limit: number): Named[] {
  const begins: Named[] = [];
  const within: Named[] = [];
  for (const [at, phrase] of phrases.entries()) {
    const from = within.length;
    names.each(phrase, (place) => {
      const one = named[place];
      if (!one) return;
      if (at === 0 && one.names.text.startsWith(phrase)) begins.push(one);
      else if (within.length < from + limit && beginsAWord(one.names, phrase)) within.push(one);
    });
  }
  return [...begins, ...within];
}

function namedCourse({ card, names, subject, examCodes }: ListedCourse): Named {
  return {
    kind: 'Course',
    label: card.title,
    slug: card.slug,
    names,
    subject,
    examCodes,
    popularity: card.learners,
  };
}

/** Categories that have a course, tracks that are no category too, and certifications. */
function otherNames({ byId, categories, tracks, certificationGroups }: Source): Named[] {
  const used = new Set<string>();
  for (const { card } of byId.values()) used.add(card.category.slug);
  const taken = new Set(categories.map(({ slug }) => slug));
  const namedAs = (kind: Suggestion['kind']) => {
    return ({ slug, name }: { slug: string; name: string }): Named => {
      const names = foldText(name);
      return { kind, label: name, slug, names, subject: names, examCodes: [], popularity: Number.MAX_SAFE_INTEGER };
    };
  };
  return [
    ...categories.filter(({ slug }) => used.has(slug)).map(namedAs('Category')),
    ...tracks.filter(({ slug }) => !taken.has(slug)).map(namedAs('Track')),
    ...certificationGroups.flatMap(({ certifications }) => certifications).map(namedAs('Certification')),
  ];
}

function addressOf(kind: Suggestion['kind'], slug: string): string {
  if (kind === 'Course') return href('/course/:courseId', { courseId: slug });
  if (kind === 'Certification') return href('/certifications/:certificationId', { certificationId: slug });
  return `${href('/courses')}?category=${slug}`;
}
