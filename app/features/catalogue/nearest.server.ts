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
    for (const candidate of candidates) {
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
      const byWord = words.map((spellings, at) =>
        holdersOf(spellings, synonyms, unfinished && at === words.length - 1),
      );
      const scores = new Map<T, { held: number; certain: number; score: number }>();
      for (const worth of byWord) {
        const rarity = Math.log(1 + candidates.size / worth.size);
        for (const [candidate, how] of worth) {
          const { held, certain, score } = scores.get(candidate) ?? { held: 0, certain: 0, score: 0 };
          scores.set(candidate, {
            held: held + 1,
            certain: certain + (how < worthInText ? 0 : 1),
            score: score + how * rarity,
          });
        }
      }
      const scored = [...scores].map(([candidate, score]) => ({ candidate, ...score }));
      const whole = scored.filter(({ held }) => held === words.length);
      const half = scored.filter(({ certain }) => certain * 2 >= words.length);
      const least = leastWorth * half.reduce((best, { score }) => Math.max(best, score), 0);
      const found = whole.length > 0 ? whole : half.filter(({ score }) => score >= least);
      return found
        .sort((a, b) => b.score - a.score || b.candidate.popularity - a.candidate.popularity)
        .map(({ candidate }) => candidate);
    },
  };
}

function take<T>(worth: Map<T, number>, similar: Similar<T>[]): void {
  for (const { holders, named, distance } of similar) {
    for (const holder of holders) {
      const how = worthPerMistake ** distance * (named.has(holder) ? 1 : worthInText);
      worth.set(holder, Math.max(how, worth.get(holder) ?? 0));
    }
  }
}
