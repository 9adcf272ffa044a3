import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText, holdsFolded, wordsOf } from './folding.ts';
import { createWordPlaces } from './word-places.ts';

const texts = [foldText('PenTest+', 'PT0-003'), foldText('Pen Test basics'), foldText('A pen, a test'), foldText('')];
const places = createWordPlaces(texts);
const held = (marks: Uint8Array) => [...marks].flatMap((mark, place) => (mark ? [place] : []));

test('texts are found by the beginning of a word, and by several whole words however they are written', () => {
  expect(held(places.holding('pen'))).toEqual([0, 1, 2]);
  expect(held(places.holding('pentest'))).toEqual([0, 1]);
  expect(held(places.holding('pentestplus'))).toEqual([0]);
  expect(held(places.holding('pentestb'))).toEqual([]);
  expect(held(places.holding('est'))).toEqual([]);
  expect(held(places.where((word) => word.endsWith('est')))).toEqual([0, 1, 2]);
});

test('words of a list that was read before are no words of the next', () => {
  const next = createWordPlaces([foldText('Basics')]);
  expect(next.words()).toEqual(['basics']);
  expect(held(next.holding('pen'))).toEqual([]);
});

test('for any texts and needle, the places are those of the texts that hold it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
  const text = fc.array(
    fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
    { maxLength: 3 },
  );
  const needle = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), needle, (all, wanted) => {
      const folded = all.map((parts) => foldText(...parts));
      const expected = folded.flatMap((one, place) => (holdsFolded(one, wanted) ? [place] : []));
      expect(held(createWordPlaces(folded).holding(wanted))).toEqual(expected);
      expect(createWordPlaces(folded).words().toSorted()).toEqual([...new Set(folded.flatMap(wordsOf))].sort());
    }),
    { numRuns: 500 },
  );
});
