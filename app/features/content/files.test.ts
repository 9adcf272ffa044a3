import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deliveryText } from '#app/lib/delivery.ts';
import { contentFolder, readAcademy } from '#tests/support/academy.ts';
import { contentAsFiles, readYaml, schemasAsFiles, writeYaml } from './files.server.ts';

async function changedFiles(files: Map<string, string>): Promise<string[]> {
  const compared = [...files].map(async ([file, text]) => {
    const stored = await readFile(path.join(contentFolder, file), 'utf8').catch(() => '');
    return stored === text ? [] : [file];
  });
  return (await Promise.all(compared)).flat();
}

test('the academy’s content is sound and written in its one form (npm run content -- format)', async () => {
  expect(await changedFiles(contentAsFiles(await readAcademy()))).toEqual([]);
});

test('P13: no course of the files was first offered after the day that they are written as of', async () => {
  const { courses, site } = await readAcademy();
  expect(courses.filter(({ published }) => published > (site.asOf ?? '')).map(({ slug }) => slug)).toEqual([]);
});

test('the published JSON Schemas are those of the program (npm run content -- format)', async () => {
  expect(await changedFiles(schemasAsFiles())).toEqual([]);
});

test('the certifications’ prices, hours and pass rates are the specification’s table', async () => {
  const { certifications, courses } = await readAcademy();
  const table = certifications.flatMap((group) =>
    group.certifications.map(({ name, course: slug, passRate }) => {
      const course = courses.find((one) => one.slug === slug);
      return [name, course?.price, course?.hours, passRate];
    }),
  );
  expect(certifications.map((group) => group.certifications.length)).toEqual([3, 3, 3, 3]);
  expect(table).toEqual([
    ['Security+', 2299, 40, 94],
    ['Network+', 2199, 45, 92],
    ['Certified in Cybersecurity', 1899, 35, 89],
    ['CEH', 3499, 50, 87],
    ['CISSP', 5499, 80, 83],
    ['CISM', 4799, 60, 78],
    ['AWS Security Specialty', 3299, 55, 79],
    ['AZ-500', 2999, 40, 81],
    ['CCSP', 4299, 50, 76],
    ['GCIH', 3799, 45, 82],
    ['OSCP', 4999, 90, 65],
    ['CISA', 4499, 55, 80],
  ]);
});

test('the course dates are the specification’s: eight, five days each, 93 seats, three this month', async () => {
  const { courseDates, courses, site } = await readAcademy();
  expect(site.asOf).toBe('2025-09-08');
  const seats = courseDates.map(({ capacity }) => capacity);
  const prices = courseDates.map(({ course }) => courses.find(({ slug }) => slug === course)?.price ?? 0);
  expect(courseDates).toHaveLength(8);
  expect(courseDates[0]?.startDate).toBe('2025-09-15');
  expect(courseDates.at(-1)?.endDate).toBe('2025-11-16');
  expect(seats.reduce((sum, seat) => sum + seat)).toBe(93);
  expect([Math.min(...seats), Math.max(...seats)]).toEqual([6, 20]);
  expect([Math.min(...prices), Math.max(...prices)]).toEqual([1999, 5499]);
  expect(courseDates.filter(({ startDate }) => startDate.startsWith('2025-09'))).toHaveLength(3);
  expect(new Set(courseDates.map(({ delivery, venue = null }) => deliveryText({ delivery, venue })))).toEqual(
    new Set(['Online', 'Online/In-Person Brisbane', 'In-Person Sydney', 'In-Person Melbourne']),
  );
});

test('the catalogue reaches as far as the specification says', async () => {
  const { categories, courses, tracks } = await readAcademy();
  const prices = courses.map(({ price }) => price);
  expect([Math.min(...prices), Math.max(...prices)]).toEqual([1299, 18_900]);
  expect(categories).toHaveLength(40);
  expect(tracks).toHaveLength(12);
  const filters = categories.filter(({ filter }) => filter);
  expect(filters.map(({ name }) => name)).toEqual([
    'AI Security',
    'CompTIA',
    'Ethical Hacking',
    'Security Management',
    'Incident Response',
    'Cloud Security',
    'Network Security',
    'GRC',
    'SOC',
    'Identity Management',
    'Application Security',
    'Virtualization Security',
    'Container Security',
    'Job Guarantee',
  ]);
});

const schema = z.strictObject({ title: z.string(), modules: z.array(z.strictObject({ hours: z.int() })) });

test('every fault is named with its line and field', () => {
  const text = 'title: 3\nmodules:\n  - hours: 4\n  - hours: many\n    extra: 1\n';
  const result = readYaml('a.yaml', text, schema);
  expect(result.ok).toBe(false);
  if (result.ok) return;
  expect(result.faults.map(({ line, field }) => [line, field])).toEqual([
    [1, 'title'],
    [4, 'modules[1].hours'],
    [4, 'modules[1]'],
  ]);
});

test('a missing field is reported where its record begins', () => {
  const result = readYaml('a.yaml', 'modules:\n  - {}\ntitle: x\n', schema);
  expect(result).toMatchObject({ faults: [{ file: 'a.yaml', line: 2, field: 'modules[0].hours' }] });
});

test('broken YAML, repeated keys and an empty file are faults, not exceptions', () => {
  for (const text of ['title: "x', 'title: a\ntitle: b\nmodules: []\n', '', ': :\n- x', '\u0000']) {
    expect(readYaml('a.yaml', text, schema)).toMatchObject({ ok: false });
  }
});

test('a written file reads back the same, with long prose and awkward characters', () => {
  const value = { title: `${'A long sentence: with # and "quotes". '.repeat(8)}end`, modules: [{ hours: 3 }] };
  const text = writeYaml(value, './x.schema.json');
  expect(text.split('\n').every((line) => line.length <= 120)).toBe(true);
  expect(readYaml('a.yaml', text, schema)).toMatchObject({ ok: true, value });
});

test('an alias is a fault, however many values it would stand for', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let depth = 1; depth < 12; depth++) {
    const [name, before] = [String.fromCharCode(97 + depth), String.fromCharCode(96 + depth)];
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
  }
  const result = readYaml('bomb.yaml', bomb.join('\n'), z.unknown());
  expect(result.ok).toBe(false);
  expect(result.ok ? null : result.faults[0]).toEqual({
    file: 'bomb.yaml',
    line: 2,
    field: '',
    message: 'repeats a value by an alias (*name): write it out',
  });
});
