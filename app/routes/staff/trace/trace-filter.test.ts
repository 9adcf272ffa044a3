import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { subjectInWords, traceKinds } from './trace-filter.ts';

test('P69: the trace can be narrowed to every kind of thing that an entry is about', () => {
  const files = globSync('{app/features,app/routes/staff}/**/*.{ts,tsx}', { cwd: projectRoot });
  const written = files.flatMap((file) => {
    const text = readFileSync(path.join(projectRoot, file), 'utf8');
    if (!/writeAuditEntr|takeStaffAct/.test(text)) return [];
    return [...text.matchAll(/\bsubject(?:: | = )[`']([a-z-]+):/g)].map(([, kind = '']) => kind);
  });
  expect(new Set(written).size).toBeGreaterThan(15);
  // Forms whose acts write entries about what they change: enrolments, quotes and places.
  const byOther = ['enrolling', 'making', 'class'];
  expect([...new Set(written)].filter((kind) => !Object.hasOwn(traceKinds, kind) && !byOther.includes(kind))).toEqual(
    [],
  );
});

test('P69: what an entry is about has the name that staff know it by', () => {
  const subjects = ['conversation:7', 'answer:24', 'payment:105', 'enrolment:BB-222222', 'course-date:cissp-online'];
  expect(subjects.map(subjectInWords)).toEqual(['Chat 7', 'Exercise 24', 'Payment 105', 'BB-222222', 'cissp-online']);
  expect(['list:money-invoices', 'list:course-dates', 'content-new:quest-lines'].map(subjectInWords)).toEqual([
    'List of tax invoices',
    'List of course dates',
    'New quest lines',
  ]);
});
