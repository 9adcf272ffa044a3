import { expect, test } from 'vitest';
import { compareRevisions, currentOf, type Revision, valueToRevertTo } from './revisions.ts';

const revision = (number: number, state: Revision['state'], value: Revision['value']): Revision => ({
  number,
  state,
  value,
  base: number === 1 ? null : number - 1,
  author: 'import',
  at: new Date('2025-09-08T00:00:00Z'),
  publishAt: null,
  note: null,
});

test('P70: two revisions are compared field by field, fields that only one has included', () => {
  const before = revision(1, 'published', { title: 'A', tags: ['x'], hours: 30 });
  const after = revision(2, 'published', { title: 'A', tags: ['x', 'y'], price: 10 });
  expect(compareRevisions(before, after)).toEqual([
    { field: 'tags', before: ['x'], after: ['x', 'y'] },
    { field: 'price', before: undefined, after: 10 },
    { field: 'hours', before: 30, after: undefined },
  ]);
});

test('P70: the newest published or retired revision holds, whatever drafts are over it', () => {
  const [first, second, gone] = [
    revision(1, 'published', {}),
    revision(2, 'published', {}),
    revision(3, 'retired', {}),
  ];
  const drafts = [revision(4, 'draft', {}), revision(5, 'scheduled', {})];
  expect(currentOf([first, second, ...drafts])).toBe(second);
  expect(currentOf([first, second, gone, ...drafts])).toBe(gone);
  expect(currentOf(drafts)).toBeUndefined();
});

test('P70: a reverted record keeps its address and its place in the list', () => {
  const earlier = { slug: 'old', title: 'Before', exams: ['X'], at: 0 };
  const latest = { slug: 'new', aliases: ['old'], title: 'After', hours: 3, at: 4 };
  expect(valueToRevertTo(earlier, latest)).toEqual({
    slug: 'new',
    aliases: ['old'],
    title: 'Before',
    exams: ['X'],
    at: 4,
  });
});
