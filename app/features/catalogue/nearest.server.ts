import { editDistance } from './edit-distance.ts';
import { readSearch } from './search-words.ts';
import type { Synonyms } from './synonyms.ts';
import { createWordIndex, type Indexed, mostMistakes, type Similar } from './word-index.server.ts';

/** Candidates for a search with typing mistakes. Equally near candidates are sorted by popularity. */
export type Candidate = Indexed & { popularity: number };

// In a description a word says less of what a course is about than in its title.
const worthInText = 0.5;
const worthPerMistake = 0.8;
// The share of the best score that a candidate needs when no candidate has all words.
const leastWorth = 0.6;

/** Finds the candidates near a search, with its typing mistakes. Equally near candidates keep their order. */
export function createNearest<T extends Candidate>(candidates: readonly T[]) {
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
   * The nearest first: those that hold all words, or else those that hold at least half of them and the rarest; a word
   * of a description that had to be forgiven does not count then. The last word of an unfinished text may go on.
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
/** How many words of a search a candidate has, how many of them without a typing mistake, and their score together. */
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
