import { referenceAlphabet } from '#app/lib/reference-alphabet.ts';
/** Characters before the check character. */
export const drawnLength = 12;

/**
 * The check character: the typed characters as a polynomial over the field of 32 elements, at a generator of the field.
 * So one wrong character and any two swapped ones are always found.
 */
export function checkCharacterOf(drawn: string): string {
  let sum = 0;
  for (const character of drawn) sum = timesGenerator(sum ^ referenceAlphabet.indexOf(character));
  return referenceAlphabet[sum] ?? '';
}

/** In the field of 32 elements with the polynomial x⁵ + x² + 1. */
const timesGenerator = (element: number): number => (element < 16 ? element << 1 : (element << 1) ^ 0b100101);

/**
 * A number as people type or paste it, as it is stored; null when it cannot be one. It is the last thirteen letters and
 * digits of the text, in whatever case, width, groups and signs: words or the address of its page may be before it.
 */
export function numberOf(typed: string): string | null {
  const last = /(?<![\p{L}\p{N}])(?:[2-9A-HJ-NP-Z][^\p{L}\p{N}]*){13}$/u.exec(typed.normalize('NFKC').toUpperCase());
  const number = last?.[0].replaceAll(/[^\p{L}\p{N}]/gu, '');
  return number && checkCharacterOf(number.slice(0, drawnLength)) === number.at(-1) ? number : null;
}

/** In fours, as it is shown: `7HK4 M2QX 9TRC P`. */
export const inFours = (number: string): string => number.replaceAll(/.{4}(?=.)/g, '$& ');
