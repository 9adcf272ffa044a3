/** The alphabet of references (P23): no letter or digit of it is mistaken for another. */
export const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Characters before the check character. */
export const drawnLength = 12;

/**
 * The check character: what was typed as a polynomial over the field of 32 elements, at a generator of it. So one wrong
 * character and any two that changed places are always noticed.
 */
export function checkCharacterOf(drawn: string): string {
  let sum = 0;
  for (const character of drawn) sum = timesGenerator(sum ^ alphabet.indexOf(character));
  return alphabet[sum] ?? '';
}

/** In the field of 32 elements with the polynomial x⁵ + x² + 1. */
const timesGenerator = (element: number): number => (element < 16 ? element << 1 : (element << 1) ^ 0b100101);

/** A number as people type it, in whatever groups and case, as it is stored; null when it cannot be one. */
export function numberOf(typed: string): string | null {
  const number = typed.replaceAll(/[\s.‐‑–-]/gu, '').toUpperCase();
  if (!/^[2-9A-HJ-NP-Z]{13}$/.test(number)) return null;
  return checkCharacterOf(number.slice(0, drawnLength)) === number.at(-1) ? number : null;
}

/** In fours, as it is shown: `7HK4 M2QX 9TRC P`. */
export const inFours = (number: string): string => number.replaceAll(/.{4}(?=.)/g, '$& ');
