import { expect, test } from 'vitest';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { describePlan } from './describe-plan.ts';
import { mergeRecords } from './merge.ts';
import { isEmpty, planOf } from './plan.ts';
import { recordsOf } from './records.ts';
import type { Content } from './schema.ts';

function plan(before: Content | null, after: Content) {
  const ours = before ? recordsOf(before) : [];
  return planOf(ours, mergeRecords({ base: ours, ours, theirs: recordsOf(after) }, undefined).merged);
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

test('a plan names kept records and conflicts in words', () => {
  const [course, other] = [sampleCourse('a'), sampleCourse('b')];
  const ours = recordsOf(
    sampleContent([
      { ...course, price: 1600 },
      { ...other, hours: 31 },
    ]),
  );
  const theirs = recordsOf(sampleContent([{ ...course, price: 1700 }, other]));
  const base = recordsOf(sampleContent([course, other]));
  const merge = mergeRecords({ base, ours, theirs }, undefined);
  const left = (key: string, now: 'held' | 'cancelled' | 'retired', ...fields: string[]) =>
    ({ kind: 'training session', key, now, fields }) as const;
  const differing = [left('moved', 'held', 'startDate', 'capacity'), left('off', 'cancelled'), left('old', 'retired')];
  const plan = { ...planOf(ours, merge.merged), ...merge, sessions: { differing, elsewhere: 3 } };
  expect(describePlan(plan, 0).split('\n')).toEqual([
    "= course b: the database's hours kept",
    '= training session moved: the files have another startDate, capacity. Staff change it at /staff/sessions/moved',
    '= training session off: staff cancelled it. The files do not bring it back',
    '= training session old: it is not offered any more. The files do not bring it back',
    '= 3 training sessions are not in the files',
    '! course a price: changed in files and database',
    expect.stringMatching(/^0 added, 0 changed, 0 retired, \d+ unchanged$/),
    "1 conflict is left as the database has it: --theirs takes the files' side, --ours settles for this one.",
  ]);
});
