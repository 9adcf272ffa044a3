import { expect, test } from 'vitest';
import { sixDigits } from './six-digits.ts';

test('P51: a code counts as it is pasted, with blanks and words around it', () => {
  for (const pasted of [
    '572356',
    '    572356',
    ' 572 356',
    '572-356',
    'Your code: 572356.',
    '５７２３５６',
    '\u00a0572356\n',
  ]) {
    expect([pasted, sixDigits(pasted)]).toEqual([pasted, '572356']);
  }
  for (const pasted of ['', '57235', '5723567', 'abcdef']) expect(sixDigits(pasted)).toBe(null);
});
