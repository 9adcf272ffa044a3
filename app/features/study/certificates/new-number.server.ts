import { randomInt } from 'node:crypto';
import { alphabet, checkCharacterOf, drawnLength } from './number.ts';

/** A certificate's number: twelve characters drawn at random, 60 bits, and a check character (P64). Stored without spaces. */
export function newNumber(): string {
  const drawn = Array.from({ length: drawnLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return drawn + checkCharacterOf(drawn);
}
