import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';

/**
 * Who may import whom (docs/architecture.md). A file imports from its own place and from rows above it; places that
 * share a row do not import one another.
 */
const rows = [
  ['app/lib', 'app/env.server.ts'],
  ['app/ui', 'app/db'],
  ['app/emails', 'app/documents', 'app/seo'],
  ['app/http', 'app/jobs', 'app/audit'],
  ['app/outbox'],
  ['app/features/people', 'app/features/content'],
  ['app/features/catalogue'],
  ['app/features/course-dates'],
  ['app/features/snapshot'],
  ['app/features/money'],
  ['app/features/enrolments'],
  ['app/features/companies'],
  ['app/features/study'],
  ['app/features/inbox'],
  ['app/features/reports'],
  ['app/routes'],
  ['app/root.tsx', 'app/routes.ts', 'app/entry.client.tsx', 'app/entry.server.tsx'],
  ['server'],
];

const files = globSync('{app,server}/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
  (file) => !/\.test\.tsx?$/.test(file),
);
const known = new Set(files);
const imports = new Map(files.map((file) => [file, importsOf(file)]));

test('imports run one way', () => {
  const climbs = [...imports].flatMap(([file, { to }]) =>
    to.filter((other) => !mayImport(placeOf(file), placeOf(other))).map((other) => `${file} imports ${other}`),
  );
  expect(climbs).toEqual([]);
});

test('no file imports itself by way of others', () => {
  expect(circles()).toEqual([]);
});

test('other folders are imported from the root, and no folder has an index', () => {
  const relative = [...imports].flatMap(([file, { specifiers }]) =>
    specifiers.filter((specifier) => specifier.startsWith('..')).map((specifier) => `${file} imports ${specifier}`),
  );
  expect(relative).toEqual([]);
  expect(files.filter((file) => /\/index\.tsx?$/.test(file))).toEqual([]);
});

test('the program imports neither scripts nor tests, and scripts no tests', () => {
  const scripts = globSync('scripts/**/*.ts', { cwd: projectRoot }).filter((file) => !file.endsWith('.test.ts'));
  const outside = [
    ...[...imports].map(([file, { specifiers }]) => ({ file, specifiers, banned: /^#(scripts|tests)\// })),
    ...scripts.map((file) => ({ file, specifiers: importsOf(file).specifiers, banned: /^#tests\/|\/tests\// })),
  ].flatMap(({ file, specifiers, banned }) =>
    specifiers.filter((specifier) => banned.test(specifier)).map((specifier) => `${file} imports ${specifier}`),
  );
  expect(outside).toEqual([]);
});

test('pages of staff and of accounts run no code of private links: what both need lies in a feature', () => {
  const shared = files
    .filter((file) => /^app\/routes\/(staff|account)\//.test(file))
    .flatMap((file) => {
      const source = readFileSync(path.join(projectRoot, file), 'utf8');
      // Types leave nothing behind: staff preview a page with what it shows.
      return [...source.matchAll(/^(?:import (?!type )|\} ).*'#(app\/routes\/links\/.*)'/gm)].map(
        ([, other]) => `${file} imports ${other}`,
      );
    });
  expect(shared).toEqual([]);
});

test('a feature is at most one folder deep', () => {
  expect(files.filter((file) => /^app\/features\/[^/]+\/[^/]+\/[^/]+\//.test(file))).toEqual([]);
});

function importsOf(file: string): { specifiers: string[]; to: string[] } {
  const source = readFileSync(path.join(projectRoot, file), 'utf8');
  const specifiers = [...source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g)].map(
    ([, specifier = '']) => specifier,
  );
  const to = specifiers.map((specifier) => {
    if (specifier.startsWith('#')) return specifier.slice(1);
    return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : '';
  });
  return { specifiers, to: to.filter((other) => known.has(other)) };
}

function placeOf(file: string): { row: number; place: string } {
  const row = rows.findIndex((places) => places.some((place) => isIn(file, place)));
  const place = rows[row]?.find((place) => isIn(file, place));
  if (place === undefined) throw new Error(`${file} stands in no row`);
  return { row, place };
}

test('each file of tests/torture says that it is of the second ring, which would leave it out otherwise', () => {
  const files = globSync('tests/torture/*.test.ts');
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !readFileSync(file, 'utf8').startsWith('// @module-tag torture\n'))).toEqual([]);
});

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);

const mayImport = (from: ReturnType<typeof placeOf>, to: ReturnType<typeof placeOf>) =>
  to.row < from.row || to.place === from.place;

/** The files that reach themselves by following imports, types included. */
function circles(): string[] {
  const left = new Map([...imports].map(([file, { to }]) => [file, new Set(to)]));
  // Files that import nothing that is left are in no circle, nor are those that nothing left imports.
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, to] of left) {
      for (const other of to) if (!left.has(other)) to.delete(other);
      if (to.size === 0) left.delete(file);
    }
    const imported = new Set([...left.values()].flatMap((to) => [...to]));
    for (const file of left.keys()) if (!imported.has(file)) left.delete(file);
  }
  return [...left.keys()].sort();
}
