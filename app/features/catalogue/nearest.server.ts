import { editDistance } from './edit-distance.ts';
import { holdsFolded } from './folding.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';
import { createWordIndex, type Indexed, mostMistakes, type Similar } from './word-index.server.ts';

/** What may be near a search; of equally near ones the more popular comes first. */
export type Candidate = Indexed & { popularity: number };

// In a description a word says less of what a course is about than in its title.
const worthInText = 0.5;
const worthPerMistake = 0.8;
// How much less than the nearest a candidate may be worth when none holds all words.
const leastWorth = 0.6;

/** Finds what is near a search, its typing mistakes forgiven. */
export function createNearest<T extends Candidate>() {
  const index = createWordIndex<T>();
  const candidates = new Set<T>();

  /** What holds a word of a search in one of its spellings, and from 0 to 1 how well. */
  function holdersOf(spellings: string[], synonyms: Synonyms, unfinished: boolean): Map<T, number> {
    const [typed = '', ...others] = spellings;
    const worth = new Map<T, number>();
    for (const spelling of spellings) take(worth, index.beginning(spelling));
    for (const spelling of others) takeMeant(worth, spelling, 1);
    if (worth.size > 0) return worth;
    const similar = index.nearest(typed, unfinished);
    take(worth, similar);
    const most = similar[0]?.distance ?? mostMistakes(typed);
    for (const [synonym, means] of most > 0 ? synonyms : []) {
      const distance = editDistance(typed, synonym, most, unfinished);
      if (distance <= most) for (const meant of means) takeMeant(worth, meant, worthPerMistake ** distance);
    }
    return worth;
  }

  /** What a synonym means may be several words. */
  function takeMeant(worth: Map<T, number>, meant: string, most: number): void {
    for (const candidate of index.opening(meant)) {
      if (!holdsFolded(candidate.subject, meant)) continue;
      const how = most * (holdsFolded(candidate.names, meant) ? 1 : worthInText);
      worth.set(candidate, Math.max(how, worth.get(candidate) ?? 0));
    }
  }

  return {
    add(candidate: T): void {
      candidates.add(candidate);
      index.add(candidate);
    },
    remove(candidate: T): void {
      candidates.delete(candidate);
      index.remove(candidate);
    },

    /**
     * The nearest first: those that hold all words, or else those that hold at least half of them and the rarest; a word
     * of a description that had to be forgiven does not count then. The last word of an unfinished text may go on.
     */
    nearest(search: string, synonyms: Synonyms, unfinished = false): T[] {
      const { words } = readSearch(search, synonyms);
      const asked = words.map((spellings, at): Asked<T> => {
        const worth = holdersOf(spellings, synonyms, unfinished && at === words.length - 1);
        return { worth, rarity: Math.log(1 + candidates.size / worth.size) };
      });
      const whole = holdersOfAll(asked);
      const found = whole.length > 0 ? whole : holdersOfMost(asked);
      return found
        .sort((a, b) => b.score - a.score || b.candidate.popularity - a.candidate.popularity)
        .map(({ candidate }) => candidate);
    },
  };
}

/** A word of a search: how well it is held by what holds it, and how rare it is. */
type Asked<T> = { worth: ReadonlyMap<T, number>; rarity: number };
type Scored<T> = { candidate: T; score: number };

function holdersOfAll<T>(asked: readonly Asked<T>[]): Scored<T>[] {
  const [rarest] = asked.toSorted((a, b) => a.worth.size - b.worth.size);
  const all = [...(rarest?.worth.keys() ?? [])].filter((candidate) => asked.every(({ worth }) => worth.has(candidate)));
  return all.map((candidate) => ({
    candidate,
    score: asked.reduce((sum, { worth, rarity }) => sum + (worth.get(candidate) ?? 0) * rarity, 0),
  }));
}

/** What holds at least half of the words for certain, and is not worth much less than the best of it. */
function holdersOfMost<T>(asked: readonly Asked<T>[]): Scored<T>[] {
  const scores = new Map<T, { candidate: T; certain: number; score: number }>();
  for (const { worth, rarity } of asked) {
    for (const [candidate, how] of worth) {
      const scored = scores.get(candidate) ?? { candidate, certain: 0, score: 0 };
      if (how >= worthInText) scored.certain++;
      scored.score += how * rarity;
      scores.set(candidate, scored);
    }
  }
  const half = [...scores.values()].filter(({ certain }) => certain * 2 >= asked.length);
  const least = leastWorth * half.reduce((best, { score }) => Math.max(best, score), 0);
  return half.filter(({ score }) => score >= least);
}

function take<T>(worth: Map<T, number>, similar: Similar<T>[]): void {
  for (const { holders, named, distance } of similar) {
    for (const holder of holders) {
      const how = worthPerMistake ** distance * (named.has(holder) ? 1 : worthInText);
      worth.set(holder, Math.max(how, worth.get(holder) ?? 0));
    }
  }
}
