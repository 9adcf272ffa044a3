import { type FoldedText, holdsFolded, wordsOf } from './folding.ts';

/** For each of many texts, in their order, 1 for yes and 0 for no. */
export type Marks = Uint8Array;

/** Which of many texts hold a word. */
export type WordPlaces = {
  /** Texts with a word that passes. */
  where(isWanted: (word: string) => boolean): Marks;
  /** Texts that hold a needle, which is folded and not empty, as `holdsFolded` says. */
  holding(needle: string): Marks;
  /** Every word that a text holds. */
  words(): string[];
};

// Every word has a number for as long as the program runs: a changed list is read again in next to no time.
const vocabulary: string[] = [];
const numbers = new Map<string, number>();
let longestWord = 0;
const read = new WeakMap<FoldedText, Uint32Array>();

/** Reads the words of each text once, however often its list changes. `numbered` are the words of the texts. */
export function createWordPlaces(texts: readonly FoldedText[], numbered = texts.map(numbersIn)): WordPlaces {
  const { places, ends } = placesByWord(numbered);

  /** Marks the texts with a word; `among` these if given. True when there is one. */
  function mark(marks: Marks, word: number, among?: Marks): boolean {
    let any = false;
    for (let at = ends[word - 1] ?? 0; at < (ends[word] ?? 0); at++) {
      const place = places[at] ?? 0;
      if (among && !among[place]) continue;
      marks[place] = 1;
      any = true;
    }
    return any;
  }

  function where(isWanted: (word: string) => boolean): Marks {
    const marks = new Uint8Array(texts.length);
    for (let word = 0; word < ends.length; word++) if (isWanted(vocabulary[word] ?? '')) mark(marks, word);
    return marks;
  }

  /** Texts that have all the words of a way to write `needle`, or null. */
  function spelling(needle: string): Marks | null {
    const steps: { from: number; to: number; word: number }[] = [];
    const reached = new Set([0]);
    for (let from = 0; from < needle.length; from++) {
      if (!reached.has(from)) continue;
      for (let to = from + 1; to <= Math.min(needle.length, from + longestWord); to++) {
        const word = numbers.get(needle.slice(from, to));
        if (word === undefined) continue;
        steps.push({ from, to, word });
        reached.add(to);
      }
    }
    if (!reached.has(needle.length)) return null;
    // From the end: by each word the texts that have it, and the words of a way to write what follows.
    const found = new Map<number, Marks>();
    for (const { from, to, word } of steps.reverse()) {
      const after = found.get(to);
      if (to < needle.length && !after) continue;
      const marks = found.get(from) ?? new Uint8Array(texts.length);
      if (mark(marks, word, after)) found.set(from, marks);
    }
    return found.get(0) ?? null;
  }

  return {
    where,
    holding(needle) {
      const marks = where((word) => word.startsWith(needle));
      const likely = spelling(needle);
      for (let place = 0; likely && place < texts.length; place++) {
        const text = texts[place];
        if (likely[place] && !marks[place] && text && holdsFolded(text, needle)) marks[place] = 1;
      }
      return marks;
    },
    words: () => vocabulary.filter((_, word) => (ends[word - 1] ?? 0) < (ends[word] ?? 0)),
  };
}

/** Marks in the first what both mark. */
export function keepCommon(marks: Marks, others: Marks): Marks {
  for (let place = 0; place < marks.length; place++) if (!others[place]) marks[place] = 0;
  return marks;
}

/** Marks in the first what either marks. */
export function addMarks(marks: Marks, others: Marks): Marks {
  for (let place = 0; place < marks.length; place++) if (others[place]) marks[place] = 1;
  return marks;
}

/** The places of the texts with the first word, then of those with the second, and so on; and where each word's end. */
function placesByWord(numbered: readonly Uint32Array[]) {
  const ends = new Uint32Array(vocabulary.length);
  for (const words of numbered) for (const word of words) ends[word] = (ends[word] ?? 0) + 1;
  let total = 0;
  for (let word = 0; word < ends.length; word++) {
    const count = ends[word] ?? 0;
    // Where its places begin, until they are put in.
    ends[word] = total;
    total += count;
  }
  const places = new Uint32Array(total);
  for (let place = 0; place < numbered.length; place++) {
    for (const word of numbered[place] ?? []) {
      const at = ends[word] ?? 0;
      places[at] = place;
      ends[word] = at + 1;
    }
  }
  return { places, ends };
}

/** The numbers of the words of a text, each once. */
export function numbersIn(text: FoldedText): Uint32Array {
  const words = read.get(text) ?? numbersOf(wordsOf(text));
  read.set(text, words);
  return words;
}

/** The numbers of words, each once. */
export function numbersOf(words: readonly string[]): Uint32Array {
  return Uint32Array.from(new Set(words), (word) => {
    const number = numbers.get(word) ?? vocabulary.push(word) - 1;
    numbers.set(word, number);
    longestWord = Math.max(longestWord, word.length);
    return number;
  });
}
