import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHaystack } from './suggestions.server.ts';

test('each text that holds the needle is found once, and none across two of them', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 6 });
  const needle = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 8 }), needle, (texts, wanted) => {
      const found: number[] = [];
      createHaystack(texts).each(wanted, (place) => found.push(place));
      expect(found).toEqual(texts.flatMap((text, place) => (text.includes(wanted) ? [place] : [])));
    }),
    { numRuns: 500 },
  );
});
