import { expect, test } from 'vitest';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { describePlan } from './describe-plan.ts';
import { mergeRecords } from './merge.ts';
import { isEmpty, planOf } from './plan.ts';
import { recordsOf } from './records.ts';
import type { Content } from './schema.ts';

function plan(before: Content | null, after: Content) {
  const ours = before ? recordsOf(before) : [];
  return planOf(ours, mergeRecords({ base: ours, ours, theirs: recordsOf(after) }, undefined));
}

test('a plan names what is added, changed, retired and unchanged', () => {
  const before = sampleContent([sampleCourse('a'), sampleCourse('b'), sampleCourse('c')]);
  const after = sampleContent([sampleCourse('a'), sampleCourse('b', { price: 1600 }), sampleCourse('d')]);
  const found = plan(before, after);
  expect(found.added).toEqual([{ kind: 'course', key: 'd' }]);
  expect(found.changed).toEqual([{ kind: 'course', key: 'b', fields: ['price'] }]);
  expect(found.retired).toEqual([{ kind: 'course', key: 'c' }]);
  expect(plan(null, after).unchanged).toBe(0);
  expect(isEmpty(plan(after, after))).toBe(true);
});

test('a plan says in words what is kept and what is in conflict', () => {
  const [course, other] = [sampleCourse('a'), sampleCourse('b')];
  const ours = recordsOf(
    sampleContent([
      { ...course, price: 1600 },
      { ...other, hours: 31 },
    ]),
  );
  const theirs = recordsOf(sampleContent([{ ...course, price: 1700 }, other]));
  const base = recordsOf(sampleContent([course, other]));
  expect(describePlan(planOf(ours, mergeRecords({ base, ours, theirs }, undefined)), 0).split('\n')).toEqual([
    "= course b: the database's hours kept",
    '! course a price: changed in files and database',
    expect.stringMatching(/^0 added, 0 changed, 0 retired, \d+ unchanged$/),
    "1 conflict is left as the database has it: --theirs takes the files' side, --ours settles for this one.",
  ]);
});
