import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleContent, sampleCourse } from '#tests/support/sample-content.ts';
import { missingSources } from './sources.ts';

test('the academy gives the source of every pass rate and says what each partnership is', async () => {
  expect(missingSources(await readAcademy())).toEqual([]);
});

test('a pass rate without a source and a partner without a meaning are named', () => {
  expect(missingSources(sampleContent([sampleCourse('a')])).map(({ path, message }) => [path, message])).toEqual([
    [[0, 'certifications', 0, 'passRate'], 'needs "passRateSource"'],
    [[0, 'name'], 'needs "meaning"'],
  ]);
});
