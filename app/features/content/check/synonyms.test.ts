import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { synonymFaults } from './synonyms.ts';

test('every synonym of the academy leads to a course', async () => {
  const academy = await readAcademy();
  expect(synonymFaults(academy)).toEqual([]);
  expect(academy.synonyms.length).toBeGreaterThanOrEqual(60);
});

test('a synonym that leads nowhere, or to itself, is named', async () => {
  const academy = await readAcademy();
  const synonyms = [
    { typed: 'k8s', means: ['Kubernetes', 'Kubernetties'] },
    { typed: 'cissp', means: ['CISSP'] },
  ];
  expect(synonymFaults({ ...academy, synonyms }).map(({ path, message }) => [path, message])).toEqual([
    [[0, 'means', 1], 'no course has "Kubernetties" in its title or description'],
    [[1, 'means', 0], 'is what was typed'],
  ]);
});
