import { editDistance } from './edit-distance.ts';
import { type FoldedText, foldedWords, wordsOf } from './folding.ts';

/** What is found by its words. */
export type Indexed = { names: FoldedText; subject: FoldedText; codes: readonly string[] };

/** A word of the catalogue and what holds it: anywhere, and in the name or a code. */
type Entry<T> = { word: string; holders: Set<T>; named: Set<T> };

/** What a word of a search may mean, and how many letters differ. */
export type Similar<T> = Entry<T> & { distance: number };

/** The words of what is in the catalogue. Adding and removing costs as much as what is added has words. */
export function createWordIndex<T extends Indexed>() {
  const entries = new Map<string, Entry<T>>();
  const codes = new Map<string, Entry<T>>();

  function change(item: T, act: 'add' | 'delete'): void {
    const named = new Set([...namesIn(item.names), ...item.codes.map(joined)]);
    for (const word of new Set([...named, ...namesIn(item.subject)])) {
      changeEntry(entries, word, item, act, named.has(word));
    }
    for (const code of item.codes) changeEntry(codes, shortCode(code), item, act, true);
  }

  return {
    add: (item: T) => change(item, 'add'),
    remove: (item: T) => change(item, 'delete'),

    /** Words that begin with a folded word. */
    beginning(typed: string): Similar<T>[] {
      const found: Similar<T>[] = [];
      for (const entry of entries.values()) if (entry.word.startsWith(typed)) found.push({ ...entry, distance: 0 });
      return found;
    },

    /** What holds a word with which several words, folded to one text, may begin. */
    opening(meant: string): Set<T> {
      const found = new Set<T>();
      for (const { word, holders } of entries.values()) {
        if (meant.startsWith(word) || word.startsWith(meant)) for (const holder of holders) found.add(holder);
      }
      return found;
    },

    /**
     * The words nearest to a folded word that no word begins with; those of a text that is still being typed may go on.
     * A code is near every code with the same letters before its number.
     */
    nearest(typed: string, unfinished: boolean): Similar<T>[] {
      const letters = /^([a-z]+)\d{2,}$/.exec(typed)?.[1];
      if (letters) return nearCodes(typed, letters);
      let most = mostMistakes(typed);
      if (most === 0) return [];
      let found: Similar<T>[] = [];
      for (const entry of entries.values()) {
        if (!isLikely(typed, entry)) continue;
        const distance = editDistance(typed, entry.word, most, unfinished);
        if (distance > most) continue;
        if (distance < most) found = [];
        most = distance;
        found.push({ ...entry, distance });
      }
      return found.filter((entry) => entry.distance === most);
    },
  };

  function nearCodes(typed: string, letters: string): Similar<T>[] {
    const found: Similar<T>[] = [];
    for (const entry of codes.values()) {
      if (!entry.word.startsWith(letters) || !/\d/.test(entry.word[letters.length] ?? '')) continue;
      found.push({ ...entry, distance: editDistance(typed, entry.word, typed.length) });
    }
    return found;
  }
}

function changeEntry<T>(entries: Map<string, Entry<T>>, word: string, item: T, act: 'add' | 'delete', named: boolean) {
  const entry = entries.get(word) ?? { word, holders: new Set(), named: new Set() };
  entry.holders[act](item);
  if (named) entry.named[act](item);
  if (entry.holders.size === 0) entries.delete(word);
  else entries.set(word, entry);
}

/** The mistakes that are forgiven in a word: in a short one and in a short number, one makes another word. */
export function mostMistakes(typed: string): number {
  if (typed.length < 4 || (/^\d+$/.test(typed) && typed.length < 5)) return 0;
  return typed.length < 8 ? 1 : 2;
}

/** Hardly anybody gets the first letter wrong; of names the first two may be swapped. */
function isLikely(typed: string, { word, named }: Entry<unknown>): boolean {
  return typed[0] === word[0] || (named.size > 0 && typed.length > 4 && typed[1] === word[0] && typed[0] === word[1]);
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
