import { type FoldedText, wordsOf } from './folding.ts';

/** Which of many texts hold a word. Texts are named by their places in the list, each at most once in an answer. */
export type WordPlaces = {
  /** Texts with a word of which this holds. */
  where(isWanted: (word: string) => boolean): number[];
};

const known = new WeakMap<FoldedText, ReadonlySet<string>>();

/** Reads the words of each text once, however often its list changes. */
export function createWordPlaces(texts: readonly FoldedText[]): WordPlaces {
  const places = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const words = known.get(text) ?? new Set(wordsOf(text));
    known.set(text, words);
    for (const word of words) {
      const holders = places.get(word);
      if (holders) holders.push(place);
      else places.set(word, [place]);
    }
  }
  return {
    where(isWanted) {
      const found: number[] = [];
      const taken = new Uint8Array(texts.length);
      for (const [word, holders] of places) {
        if (!isWanted(word)) continue;
        for (const place of holders) {
          if (taken[place] === 0) found.push(place);
          taken[place] = 1;
        }
      }
      return found;
    },
  };
}
