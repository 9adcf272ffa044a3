import { randomInt } from 'node:crypto';
import { referenceAlphabet } from '#app/lib/reference-alphabet.ts';

/**
 * `BB-` and six characters that cannot be misread (P23). The trigger `issue_reference` of every table with references
 * skips a row whose reference was given out before, in any of them; the command then draws another.
 */
export function newReference(): string {
  return `BB-${Array.from({ length: 6 }, () => referenceAlphabet[randomInt(referenceAlphabet.length)]).join('')}`;
}

/** Whether a text has the form of a reference. */
export const isReference = (text: string): boolean => /^BB-[2-9A-HJ-NP-Z]{6}$/.test(text);
