import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { factIcons } from './certification-exam.tsx';

test('the facts of exams have the names for which there is an icon', () => {
  const written = readFileSync(path.join(projectRoot, 'content/certifications.yaml'), 'utf8');
  const labels = [...written.matchAll(/label: (.+)/g)].map(([, label = '']) => label);
  expect(Object.keys(factIcons).filter((label) => !labels.includes(label))).toEqual([]);
  const ofSeveral = labels.filter((label, at) => labels.indexOf(label) < at);
  expect(ofSeveral.filter((label) => !(label in factIcons))).toEqual([]);
});
