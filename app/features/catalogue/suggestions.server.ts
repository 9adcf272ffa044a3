import { LRUCache } from 'lru-cache';
import { href } from 'react-router';
import type { Catalogue, ListedCourse } from './catalogue.ts';
import { editDistance } from './edit-distance.ts';
import { beginsAWord, foldedWords, foldText, holdsFolded } from './folding.ts';
import { listCourses, type Nearest } from './listing.ts';
import { noFilters } from './schema.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';
import { createWordIndex, type Indexed, mostMistakes, type Similar } from './word-index.server.ts';

/** Texts that are searched all at once, which takes a fraction of the time of searching each. */
type Haystack = {
  /** Calls `found` with the place of each text that holds `needle`, which is not empty, in their order. */
  each(needle: string, found: (place: number) => void): void;
};

const between = '\n';

export function createHaystack(texts: readonly string[]): Haystack {
  const all = texts.join(between);
  // The start of each text, then the end of the last.
  const begins = new Uint32Array(texts.length + 1);
  for (const [place, text] of texts.entries()) begins[place + 1] = (begins[place] ?? 0) + text.length + between.length;
  return {
    each(needle, found) {
      let place = 0;
      const nextFrom = () => begins[place + 1] ?? all.length;
      for (let at = all.indexOf(needle); at >= 0 && place < texts.length; ) {
        while (nextFrom() <= at) place++;
        const isWithin = at + needle.length < nextFrom();
        if (isWithin) found(place);
        at = all.indexOf(needle, isWithin ? nextFrom() : at + 1);
      }
    },
  };
}

export type Suggestion = { kind: 'Course' | 'Category' | 'Track' | 'Certification'; label: string; address: string };

export type Suggester = {
  /**
   * At most `limit` suggestions for the typed text (P11), in this order: names that begin with it, names with a word or
   * an exam code that does, names for which it is a synonym, names that hold its words in any order, results of the
   * list. Only when there are none, names that match despite typing mistakes.
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

/** Candidates for a search with typing mistakes. Equally near candidates are sorted by popularity. */
type Candidate = Indexed & { popularity: number };

// In a description a word says less of what a course is about than in its title.
const worthInText = 0.5;
const worthPerMistake = 0.8;
// The share of the best score that a candidate needs when no candidate has all words.
const leastWorth = 0.6;

/** Finds the candidates near a search, with its typing mistakes. Equally near candidates keep their order. */
function createNearest<T extends Candidate>(candidates: readonly T[]) {
  const index = createWordIndex(candidates);

  /** How well each candidate holds a word of a search in one of its spellings, from 0 for not at all to 1. */
  function worthOf(spellings: string[], synonyms: Synonyms, unfinished: boolean): Worth {
    const [typed = '', ...others] = spellings;
    const worth = new Float64Array(candidates.length);
    for (const spelling of spellings) take(worth, index.beginning(spelling));
    for (const spelling of others) take(worth, index.opening(spelling, 0));
    if (worth.some((how) => how > 0)) return worth;
    const similar = index.nearest(typed, unfinished);
    for (const one of similar) take(worth, one);
    const most = similar[0]?.distance ?? mostMistakes(typed);
    for (const [synonym, means] of most > 0 ? synonyms : []) {
      const distance = editDistance(typed, synonym, most, unfinished);
      if (distance <= most) for (const meant of means) take(worth, index.opening(meant, distance));
    }
    return worth;
  }

  /**
   * The nearest candidates first: those with all words, or else with at least half of the words and the rarest one;
   * words of a description found despite typing mistakes do not count then. The last word of an unfinished text may go
   * on.
   */
  return (search: string, synonyms: Synonyms, unfinished = false): T[] => {
    const { words } = readSearch(search, synonyms);
    const asked = words.map((spellings, at): Asked => {
      const worth = worthOf(spellings, synonyms, unfinished && at === words.length - 1);
      const holders = worth.reduce((count, how) => count + (how > 0 ? 1 : 0), 0);
      return { worth, rarity: holders > 0 ? Math.log(1 + candidates.length / holders) : 0 };
    });
    const scored = candidates.map((candidate, place): Scored<T> => {
      let [held, certain, score] = [0, 0, 0];
      for (const { worth, rarity } of asked) {
        const how = worth[place] ?? 0;
        if (how > 0) held++;
        if (how >= worthInText) certain++;
        score += how * rarity;
      }
      return { candidate, held, certain, score };
    });
    const whole = scored.filter(({ held }) => held > 0 && held === asked.length);
    const found = whole.length > 0 ? whole : holdersOfMost(scored, asked.length);
    return found
      .sort((a, b) => b.score - a.score || b.candidate.popularity - a.candidate.popularity)
      .map(({ candidate }) => candidate);
  };
}

type Worth = Float64Array;
/** A word of a search: how well it is held by each candidate, and how rare it is. */
type Asked = { worth: Worth; rarity: number };
/** How many words of a search are in a candidate, how many without a typing mistake, and their score together. */
type Scored<T> = { candidate: T; held: number; certain: number; score: number };

/** The candidates that have at least half of the words without a typing mistake and a score near the best of them. */
function holdersOfMost<T>(scored: Scored<T>[], words: number): Scored<T>[] {
  const half = scored.filter(({ held, certain }) => held > 0 && certain * 2 >= words);
  const least = leastWorth * half.reduce((best, { score }) => Math.max(best, score), 0);
  return half.filter(({ score }) => score >= least);
}

function take(worth: Worth, { holders, named, distance }: Similar): void {
  const most = worthPerMistake ** distance;
  for (let place = 0; place < worth.length; place++) {
    if (holders[place]) worth[place] = Math.max(most * (named[place] ? 1 : worthInText), worth[place] ?? 0);
  }
}
