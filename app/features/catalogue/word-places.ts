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

  /**
   * Texts that have all the words of a way to write `needle`, or null. `known` has the answers for what follows its
   * first words.
   */
  function spelling(needle: string, known = new Map<string, Marks | null>()): Marks | null {
    const marks = new Uint8Array(texts.length);
    let any = false;
    for (let end = 1; end <= needle.length; end++) {
      const word = numbers.get(needle.slice(0, end));
      if (word === undefined) continue;
      const rest = needle.slice(end);
      if (rest !== '' && !known.has(rest)) known.set(rest, spelling(rest, known));
      const among = rest === '' ? undefined : known.get(rest);
      if (among !== null && mark(marks, word, among)) any = true;
    }
    return any ? marks : null;
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
    return number;
  });
}
