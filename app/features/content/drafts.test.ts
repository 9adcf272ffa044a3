import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeValues } from './drafts.server.ts';

test('P71: what only one side changed is taken, and what both changed each in its own way is mine and named', () => {
  const base = { title: 'A', hours: 30, price: 1500, level: 'Beginner' };
  const mine = { ...base, title: 'B', price: 1600, level: 'Expert' };
  const theirs = { ...base, hours: 31, price: 1700, level: 'Expert' };
  expect(mergeValues({ base, mine, theirs })).toEqual({
    value: { title: 'B', hours: 31, price: 1600, level: 'Expert' },
    conflicts: ['price'],
  });
});

test('P71: a field that one side emptied is gone, unless the other side changed it', () => {
  const base = { title: 'A', rating: 4.7 };
  expect(mergeValues({ base, mine: { title: 'A' }, theirs: base })).toEqual({ value: { title: 'A' }, conflicts: [] });
  expect(mergeValues({ base, mine: base, theirs: { title: 'A' } })).toEqual({ value: { title: 'A' }, conflicts: [] });
  const theirs = { title: 'A', rating: 4.8 };
  expect(mergeValues({ base, mine: { title: 'A' }, theirs }).conflicts).toEqual(['rating']);
});

test('P71: my place in a list counts, however the neighbours moved meanwhile', () => {
  expect(mergeValues({ base: { at: 3 }, mine: { at: 0 }, theirs: { at: 4 } })).toEqual({
    value: { at: 0 },
    conflicts: [],
  });
  expect(mergeValues({ base: { at: 3 }, mine: { at: 3 }, theirs: { at: 4 } })).toEqual({
    value: { at: 4 },
    conflicts: [],
  });
});

const values = fc.record({ hours: fc.integer({ min: 30, max: 33 }), learners: fc.integer({ min: 0, max: 2 }) });

test('P71: a merge is whole: every field is one side’s, and conflicts are exactly those both sides changed', () => {
  fc.assert(
    fc.property(values, values, values, (base, mine, theirs) => {
      const { value, conflicts } = mergeValues({ base, mine, theirs });
      for (const field of ['hours', 'learners'] as const) {
        const both = mine[field] !== base[field] && theirs[field] !== base[field] && mine[field] !== theirs[field];
        expect(conflicts.includes(field)).toBe(both);
        expect(value[field]).toBe(mine[field] === base[field] ? theirs[field] : mine[field]);
      }
    }),
  );
});
