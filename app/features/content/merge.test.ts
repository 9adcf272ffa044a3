import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { ambiguousRecords, mergeRecords, type Side } from './merge.ts';
import { planOf, withFinalSlugs } from './plan.ts';
import { type ContentRecord, contentOf, recordsOf } from './records.ts';
import type { Content } from './schema.ts';

type Course = Content['courses'][number];

/** Merges three editions that hold only these courses, and one session of the first. */
function merge(editions: { base: Course[]; ours: Course[]; theirs: Course[] }, side?: Side) {
  const [base, ours, theirs] = [editions.base, editions.ours, editions.theirs].map((courses) =>
    recordsOf(sampleContent(courses)),
  ) as [ContentRecord[], ContentRecord[], ContentRecord[]];
  const result = mergeRecords({ base, ours, theirs }, side);
  const content = contentOf(withFinalSlugs(result.merged));
  return { ...result, content, courses: content.courses, plan: planOf(ours, result.merged) };
}

const a = sampleCourse('a');
const b = sampleCourse('b');

test('the academy’s content survives being taken apart and put together', async () => {
  const content = await readAcademy();
  expect(contentOf(recordsOf(content))).toEqual(content);
});

test('P46: changes of the files alone are taken, changes of the database alone are kept', () => {
  const { courses, kept, conflicts, plan } = merge({
    base: [a, b],
    ours: [{ ...a, price: 1600 }, b],
    theirs: [
      { ...a, title: 'A from the files' },
      { ...b, hours: 31 },
    ],
  });
  expect(courses).toMatchObject([{ price: 1600, title: 'A from the files' }, { hours: 31 }]);
  expect(kept).toEqual([{ kind: 'course', key: 'a', fields: ['price'] }]);
  expect(conflicts).toEqual([]);
  expect(plan.changed).toEqual([
    { kind: 'course', key: 'a', fields: ['title'] },
    { kind: 'course', key: 'b', fields: ['hours'] },
  ]);
});

test('P46: a change on both sides is a conflict: the database stays, and it is reported until it is settled', () => {
  const editions = { base: [a], ours: [{ ...a, price: 1600 }], theirs: [{ ...a, price: 1700 }] };
  const open = merge(editions);
  expect(open.courses[0]?.price).toBe(1600);
  expect(open.conflicts).toEqual([{ kind: 'course', key: 'a', field: 'price' }]);
  expect(merge(editions, 'theirs').courses[0]?.price).toBe(1700);
  expect(merge(editions, 'ours').courses[0]?.price).toBe(1600);

  // The same files again: still open; once settled, silent.
  const again = (base: ContentRecord[]) =>
    mergeRecords({ base, ours: recordsOf(open.content), theirs: recordsOf(sampleContent(editions.theirs)) }, undefined)
      .conflicts;
  expect(again(open.base)).toHaveLength(1);
  expect(again(merge(editions, 'ours').base)).toEqual([]);
});

test('P46: a record that one side removed goes, unless the other side changed it', () => {
  expect(merge({ base: [a, b], ours: [a, b], theirs: [a] }).courses).toEqual([a]);
  expect(merge({ base: [a, b], ours: [a], theirs: [a, b] }).courses).toEqual([a]);
  const removed = { base: [a, b], ours: [a, { ...b, hours: 31 }], theirs: [a] };
  expect(merge(removed).courses).toHaveLength(2);
  expect(merge(removed).conflicts).toEqual([{ kind: 'course', key: 'b', field: null }]);
  expect(merge(removed, 'theirs').courses).toEqual([a]);
  const retired = { base: [a, b], ours: [a], theirs: [a, { ...b, hours: 31 }] };
  expect(merge(retired).conflicts).toEqual([{ kind: 'course', key: 'b', field: null }]);
  expect(merge(retired).courses).toEqual([a]);
  expect(merge(retired, 'theirs').courses).toHaveLength(2);
});

test('P46: a record only the database has stays', () => {
  const result = merge({ base: [a], ours: [a, b], theirs: [a] });
  expect(result.courses).toEqual([a, b]);
  expect(result.kept).toEqual([{ kind: 'course', key: 'b', fields: null }]);
});

test('P3, P46: a slug renamed in the files is the same course, and references to it follow', () => {
  const renamed = { ...a, slug: 'new-a', aliases: ['a'] };
  const other = { ...b, needs: ['a'] };
  const result = merge({ base: [a, other], ours: [a, other], theirs: [renamed, { ...other, needs: ['new-a'] }] });
  expect(result.plan.renamed).toEqual([{ kind: 'course', key: 'a', to: 'new-a' }]);
  expect(result.plan.added).toEqual([]);
  expect(result.plan.retired).toEqual([]);
  expect(result.content.courses.find(({ slug }) => slug === 'b')?.needs).toEqual(['new-a']);
});

test('P3, P46: a slug renamed in the database is kept, though the files go on with the former one', () => {
  const renamed = { ...a, slug: 'new-a', aliases: ['a'] };
  const result = merge({ base: [a], ours: [renamed], theirs: [{ ...a, hours: 31 }] });
  expect(result.courses).toEqual([{ ...renamed, hours: 31 }]);
  expect(result.content.trainingSessions[0]?.course).toBe('new-a');
  expect(result.conflicts).toEqual([]);
});

test('two courses of the files that would become one in the database are refused in words', () => {
  const ours = recordsOf(sampleContent([{ ...a, slug: 'b', aliases: ['a'] }]));
  const theirs = recordsOf(sampleContent([a, b]));
  expect(ambiguousRecords({ ours, theirs })).toEqual(['course "b" and "a" are the same one in the database']);
});

test('a line moved within its list is taken from the files without a word', () => {
  const content = sampleContent([a]);
  const moved = { ...content, categories: content.categories.toReversed() };
  const base = recordsOf(content);
  const result = mergeRecords({ base, ours: base, theirs: recordsOf(moved) }, undefined);
  expect(contentOf(result.merged).categories).toEqual(moved.categories);
  expect(result.kept).toEqual([]);
});

const edition = fc.record({ hours: fc.integer({ min: 30, max: 33 }), learners: fc.integer({ min: 0, max: 2 }) });

test('P46: a merge is whole: every field is one side’s, and conflicts are exactly those both sides changed', () => {
  fc.assert(
    fc.property(edition, edition, edition, (base, ours, theirs) => {
      const { courses, conflicts } = merge({
        base: [{ ...a, ...base }],
        ours: [{ ...a, ...ours }],
        theirs: [{ ...a, ...theirs }],
      });
      for (const field of ['hours', 'learners'] as const) {
        const both = ours[field] !== base[field] && theirs[field] !== base[field] && ours[field] !== theirs[field];
        expect(conflicts.some((conflict) => conflict.field === field)).toBe(both);
        const wanted = both || theirs[field] === base[field] ? ours[field] : theirs[field];
        expect(courses[0]?.[field]).toBe(wanted);
      }
    }),
  );
});
