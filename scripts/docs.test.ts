import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';

const named = /[`(]((?:app|server|scripts|tests|content|db|docs|deploy)\/[\w./-]+)[`)]/g;
/** A file named without its folder, such as `rules.ts`. */
const namedAlone = /`(\w[\w.-]*\.(?:ts|tsx|sql|css|yaml))`/g;
const pages = [
  'README.md',
  'docs/architecture.md',
  'docs/brand.md',
  'docs/changing.md',
  'docs/operating.md',
  'docs/product.md',
  'docs/security.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
];

test.each(pages)('%s names only files and folders that exist', (file) => {
  const paths = [...readFileSync(file, 'utf8').matchAll(named)].map(([, path = '']) => path);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test.each(pages)('%s names no file alone that is nowhere', (file) => {
  const folders = '{app,content,db,deploy,scripts,server,tests}';
  const known = new Set([...globSync(`${folders}/**/*.*`), ...globSync('*.*')].map((path) => basename(path)));
  const names = [...readFileSync(file, 'utf8').matchAll(namedAlone)].map(([, name = '']) => name);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('docs/architecture.md has a row for every feature and every folder of pages', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const folders = globSync(['app/features/*', 'app/routes/*/', 'server', 'scripts']).filter((path) => !/\./.test(path));
  expect(folders.length).toBeGreaterThan(20);
  expect(folders.filter((folder) => !text.includes(`\`${folder}/\``))).toEqual([]);
});

test('docs/security.md names only tests that exist', () => {
  const claims = [
    ...readFileSync('docs/security.md', 'utf8').matchAll(
      /`([\w./-]+\.(?:test|spec)\.ts)` ((?:"[^"]+"(?:,? and |, )?)+)/g,
    ),
  ].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
  expect(claims.length).toBeGreaterThan(35);
  // A title begins where a string of the test begins, and says more than a place for a value.
  const begins = (file: string, title: string) =>
    ["'", '"', '`'].some((quote) => readFileSync(file, 'utf8').includes(quote + title));
  const missing = claims.filter(({ file, title }) => !/[a-z]{4}/.test(title) || !begins(file, title));
  expect(missing).toEqual([]);
});

test('docs/product.md has every decision from P1 to P88', () => {
  const text = readFileSync('docs/product.md', 'utf8');
  const missing = Array.from({ length: 88 }, (_, at) => `P${at + 1}`).filter(
    (name) => !text.includes(`- **${name}** `),
  );
  expect(missing).toEqual([]);
});
