import { expect, test } from 'vitest';
import { sampleCourse } from '#tests/support/sample-content.ts';
import { guidedStudyFaults } from './guided-study.ts';

test('P38: one person can do on any day what the text of a guided course says', () => {
  const parts = { curriculum: [{ module: 'Labs', topics: ['Attack and defend in pairs', 'A write-up'] }] };
  const grouped = sampleCourse('a', { ...parts, credential: 'Show it to your classmates.' });
  expect(guidedStudyFaults([grouped])).toEqual([]);
  expect(guidedStudyFaults([{ ...grouped, guided: true }])).toEqual([
    { file: { course: 0 }, path: ['curriculum', 0, 'topics', 0], message: expect.stringContaining('"in pairs"') },
    { file: { course: 0 }, path: ['credential'], message: expect.stringContaining('"classmates"') },
  ]);
  expect(guidedStudyFaults([sampleCourse('b', { guided: true, credential: 'Write classes in Python.' })])).toEqual([]);
});
