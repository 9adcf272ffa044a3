// The characters that the brand's fonts have together: Latin with its Central European and Vietnamese letters, and
// punctuation.
const brand =
  /^[\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u017f\u0192\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]*$/u;

// They show nothing, and some of them reverse the order of a line's letters.
const unseen = /[\p{Cf}\p{Cc}\p{Variation_Selector}]/gu;
const kept = new Set(['\n', '\u200c', '\u200d']);

/** Whether every letter of a text is in the brand's fonts. */
export const brandHas = (text: string): boolean => brand.test(text);

/**
 * A text that people typed, as documents print it: letters and their marks in one where Unicode has them so (NFC), tabs as
 * spaces, without characters that show nothing. The joiners of Indian and Persian writing stay.
 */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll('\t', ' ')
    .replaceAll(unseen, (one) => (kept.has(one) ? one : ''));
}

/**
 * The print of a character that no font has, such as an emoji: its number, `[U+1F600]`, so that a reader sees that a
 * character was there, and which.
 */
export function inNumbers(character: string): string {
  const letters = Array.from(character).filter((letter) => !kept.has(letter));
  const numbers = letters.map((letter) => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0'));
  return numbers.map((number) => `[U+${number}]`).join('');
}
