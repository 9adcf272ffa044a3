import { nameForOthers } from '#app/lib/shown-name.ts';

/** The decision about a name that a holder asks for: issued again at once, looked at by staff, or refused. */
type NameChange = 'same' | 'at-once' | 'look' | 'no-name';

const mostLetters = 2;

/**
 * P65: case, accents and two letters are corrected at once; everything else staff look at. `original` is the name of
 * the first certificate of the place, or the last that staff took, so that one correction after the other does not lead to another person. A word of
 * which more than half is new is another word, however short it is.
 */
export function changeOfName({ original, now, asked }: { original: string; now: string; asked: string }): NameChange {
  const name = nameForOthers(asked);
  if (name === null || !/\p{L}/u.test(name)) return 'no-name';
  if (tidied(name) === tidied(now)) return 'same';
  const [before, after] = [folded(original), folded(name)];
  if (changedLetters(before, after) > mostLetters) return 'look';
  const [words, asWords] = [before.split(' '), after.split(' ')];
  if (words.length !== asWords.length) return 'look';
  const another = words.some((word, at) => changedLetters(word, asWords[at] ?? '') * 2 > word.length);
  return another ? 'look' : 'at-once';
}

/** A name as it is stored: one form for each letter, single spaces. */
export const tidied = (name: string): string => name.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');

const folded = (name: string): string => tidied(name).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** How many letters have to be put in, left out, exchanged, or swapped with their neighbour. */
function changedLetters(from: string, to: string): number {
  const [a, b] = [Array.from(from), Array.from(to)];
  let before: number[] = [];
  let last = b.map((_, at) => at).concat(b.length);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
