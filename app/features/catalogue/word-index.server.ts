import { setImmediate } from 'node:timers/promises';
import { editDistance } from './edit-distance.ts';
import { type FoldedText, foldedWords, wordsOf } from './folding.ts';
import { createWordPlaces, type Marks, numbersIn, numbersOf } from './word-places.ts';

/** An item that can be found by its words. */
export type Indexed = { names: FoldedText; subject: FoldedText; examCodes: readonly string[] };

/**
 * The items that have a word near a word of a search, anywhere and in the name or a code, and how many letters differ.
 */
export type Similar = { holders: Marks; named: Marks; distance: number };

/** The words of the catalogue. The words of each item are read once, however often the list changes. */
export function createWordIndex(items: readonly Indexed[]) {
  const numbered = items.map(numbersOfItem);
  const all = createWordPlaces(
    items.map(({ subject }) => subject),
    numbered.map(({ anywhere }) => anywhere),
  );
  const names = createWordPlaces(
    items.map((item) => item.names),
    numbered.map(({ inName }) => inName),
  );
  const codes = createWordPlaces(
    items.map((item) => item.names),
    numbered.map(({ shortCodes }) => shortCodes),
  );

  /** Words that pass. */
  function where(isWanted: (word: string) => boolean, distance: number): Similar {
    return { holders: all.where(isWanted), named: names.where(isWanted), distance };
  }

  return {
    /** Words that begin with a folded word. */
    beginning: (typed: string): Similar => where((word) => word.startsWith(typed), 0),

    /** The words that begin with a synonym of a word, or the several words of one. */
    opening: (meant: string, distance: number): Similar => ({
      holders: all.holding(meant),
      named: names.holding(meant),
      distance,
    }),

    /**
     * The words nearest to a folded word that no word begins with; those of a text that is still being typed may go on.
     * A code is near every code with the same letters before its number.
     */
    nearest(typed: string, unfinished: boolean): Similar[] {
      const letters = /^([a-z]+)\d{2,}$/.exec(typed)?.[1];
      if (letters) return nearCodes(typed, letters);
      let most = mostMistakes(typed);
      if (most === 0) return [];
      let found = new Set<string>();
      const look = (word: string) => {
        const distance = editDistance(typed, word, most, unfinished);
        if (distance > most) return;
        if (distance < most) found = new Set();
        most = distance;
        found.add(word);
      };
      // Hardly anybody gets the first letter wrong; of names the first two may be swapped.
      for (const word of all.words()) if (typed[0] === word[0]) look(word);
      const areSwapped = (word: string) => typed[1] === word[0] && typed[0] === word[1];
      if (typed.length > 4) for (const word of names.words()) if (areSwapped(word)) look(word);
      return found.size > 0 ? [where((word) => found.has(word), most)] : [];
    },
  };

  function nearCodes(typed: string, letters: string): Similar[] {
    const near = codes.words().filter((code) => code.startsWith(letters) && /\d/.test(code[letters.length] ?? ''));
    return near.map((code) => {
      const holders = codes.where((word) => word === code);
      return { holders, named: holders, distance: editDistance(typed, code, typed.length) };
    });
  }
}

type Numbers = Record<'anywhere' | 'inName' | 'shortCodes', Uint32Array>;
const read = new WeakMap<FoldedText, Numbers>();
const readAtOnce = 200;

/** Reads the words of items before they are asked for. Thousands take a while: other work runs in between. */
export async function readWords(items: readonly Indexed[]): Promise<void> {
  for (let from = 0; from < items.length; from += readAtOnce) {
    for (const item of items.slice(from, from + readAtOnce)) {
      numbersOfItem(item);
      numbersIn(item.names);
      numbersIn(item.subject);
    }
    await setImmediate();
  }
}

function numbersOfItem({ names, subject, examCodes }: Indexed): Numbers {
  const before = read.get(subject);
  if (before) return before;
  const inName = [...namesIn(names), ...examCodes.map(joined)];
  const numbers = {
    anywhere: numbersOf([...inName, ...namesIn(subject)]),
    inName: numbersOf(inName),
    shortCodes: numbersOf(examCodes.map(shortCode)),
  };
  read.set(subject, numbers);
  return numbers;
}

/** The mistakes that are forgiven in a word: in a short one and in a short number, one makes another word. */
export function mostMistakes(typed: string): number {
  if (typed.length < 4 || (/^\d+$/.test(typed) && typed.length < 5)) return 0;
  return typed.length < 8 ? 1 : 2;
}

const joined = (code: string): string => foldedWords(code).join('');

/** The beginning of a code up to the end of its first number: "iso27001" of "ISO/IEC 27001 Lead Auditor". */
function shortCode(code: string): string {
  return /^[a-z]*\d*/.exec(joined(code))?.[0] ?? '';
}

/** The words of a folded text, and "securityplus" beside "security" and "plus". */
function namesIn(text: FoldedText): string[] {
  const words = wordsOf(text);
  const withPlus = words.flatMap((word, at) => (words[at + 1] === 'plus' ? [`${word}plus`] : []));
  return [...words, ...withPlus];
}
