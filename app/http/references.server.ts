import { randomInt } from 'node:crypto';

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** `BB-` and six characters that cannot be misread (P23). Whoever stores it has a unique constraint and tries again. */
export function newReference(): string {
  return `BB-${Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}

/** Whether a text has the form of a reference. */
export const isReference = (text: string): boolean => /^BB-[2-9A-HJ-NP-Z]{6}$/.test(text);
