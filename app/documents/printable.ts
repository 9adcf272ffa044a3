// What the packaged fonts hold between them: Latin with its Central European and Vietnamese letters, and punctuation.
const missing =
  /[^\n\u0020-\u007e\u00a0-\u017f\u0192\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]/gu;

/**
 * A text that people typed, as our PDFs can print it: what the fonts have no letter for, such as Chinese or Greek, becomes
 * a question mark. Left in, it would print as other letters over each other.
 */
export function printable(text: string): string {
  return text.normalize('NFC').replaceAll(missing, '?');
}
