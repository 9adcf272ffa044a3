import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import {
  changesBetween,
  contentOf,
  currentOf,
  type Revision,
  recordsOf,
  renamedBy,
  valueToRevertTo,
  withFinalSlugs,
} from './records.ts';

test('the academy’s content survives being taken apart and put together', async () => {
  const { courseDates: _, ...content } = await readAcademy();
  expect(contentOf(recordsOf(content))).toEqual(content);
});

test('changes name what is new, changed and retired, and leave out what stays', () => {
  const before = recordsOf(sampleContent([sampleCourse('a'), sampleCourse('b'), sampleCourse('c')]));
  const after = recordsOf(sampleContent([sampleCourse('a'), sampleCourse('b', { price: 1600 }), sampleCourse('d')]));
  expect(changesBetween(before, after)).toMatchObject([
    { kind: 'course', key: 'b', was: { price: 1500 }, now: { price: 1600 } },
    { kind: 'course', key: 'd', was: null, now: { slug: 'd' } },
    { kind: 'course', key: 'c', was: { slug: 'c' }, now: null },
  ]);
  expect(changesBetween(after, after)).toEqual([]);
});

test('P3: what names a renamed course follows it', () => {
  const before = recordsOf(sampleContent([sampleCourse('a'), sampleCourse('b', { needs: ['a'] })]));
  const wished = before.map((one) =>
    one.kind === 'course' && one.key === 'a' ? { ...one, value: { ...one.value, slug: 'c' } } : one,
  );
  const changes = changesBetween(before, withFinalSlugs(wished));
  expect(renamedBy(changes)).toEqual([{ kind: 'course', key: 'a', to: 'c' }]);
  expect(changes).toMatchObject([
    { key: 'a', now: { slug: 'c' } },
    { key: 'b', now: { needs: ['c'] } },
    { kind: 'certification', now: { course: 'c' } },
  ]);
});

const revision = (number: number, state: Revision['state'], value: Revision['value']): Revision => ({
  number,
  state,
  value,
  base: number === 1 ? null : number - 1,
  author: 'files',
  at: new Date('2025-09-08T00:00:00Z'),
  publishAt: null,
  note: null,
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
