import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingNames } from '#app/env.server.ts';

const named = /[`(]((?:app|server|scripts|tests|content|db|docs|deploy)\/[\w./-]+)[`)]/g;
/** A file named without its folder, such as `rules.ts`. */
const namedAlone = /`(\w[\w.-]*\.(?:ts|tsx|sql|css|yaml))`/g;
const folders = '{app,content,db,deploy,scripts,server,tests}';
const known = new Set([...globSync(`${folders}/**/*.*`), ...globSync('*.*')].map((path) => basename(path)));

const pathsIn = (text: string) => [...text.matchAll(named)].map(([, path = '']) => path);
const unknownNames = (text: string) =>
  [...text.matchAll(namedAlone)].map(([, name = '']) => name).filter((name) => !known.has(name));

const pages = [
  'README.md',
  'docs/architecture.md',
  'docs/brand.md',
  'docs/changing.md',
  'docs/commands.md',
  'docs/operating.md',
  'docs/performance.md',
  'docs/product.md',
  'docs/security.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
];
const decisions = globSync('docs/decisions/*.md');

test.each([...pages, ...decisions])('%s names only files and folders that exist', (file) => {
  expect(pathsIn(readFileSync(file, 'utf8')).filter((path) => !existsSync(path))).toEqual([]);
});

test.each([...pages, ...decisions])('%s names no file alone that is nowhere', (file) => {
  expect(unknownNames(readFileSync(file, 'utf8'))).toEqual([]);
});

test('docs/architecture.md has a row for every feature and every folder of pages', () => {
  const text = readFileSync('docs/architecture.md', 'utf8');
  const folders = globSync(['app/features/*', 'app/routes/*/', '{content,deploy,scripts,server,tests}']).filter(
    (path) => !/\./.test(path),
  );
  expect(folders.length).toBeGreaterThan(20);
  expect(folders.filter((folder) => !text.includes(`\`${folder}/\``))).toEqual([]);
});

test('docs/operating.md has every setting', () => {
  const table =
    readFileSync('docs/operating.md', 'utf8')
      .match(/^\| `.*/gm)
      ?.join('\n') ?? '';
  expect(settingNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
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

test('docs/product.md has every rule that code, tests and pages cite, and each once', () => {
  const text = readFileSync('docs/product.md', 'utf8');
  const listed = [...text.matchAll(/^- \*\*(P\d+)\b/gm)].map(([, name]) => name);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.length).toBeGreaterThan(85);
  const files = globSync(['{app,scripts,server,tests}/**/*.{ts,tsx,css}', '*.md', 'docs/*.md']);
  const citing = files.filter((file) => file !== 'docs/product.md');
  const cited = new Set(citing.flatMap((file) => readFileSync(file, 'utf8').match(/\bP\d{1,3}\b/g) ?? []));
  expect([...cited].filter((name) => !listed.includes(name))).toEqual([]);
});

test('no comment stands between another comment and what that one describes', () => {
  const files = globSync('{app,scripts,server,tests}/**/*.{ts,tsx}');
  const stranded = files.filter((file) => /\*\/\n[ \t]*\/\*\*/.test(readFileSync(file, 'utf8')));
  expect(stranded).toEqual([]);
});

describe('docs/decisions', () => {
  const readme = 'docs/decisions/README.md';
  const texts = decisions.map((page) => readFileSync(page, 'utf8'));

  test('its README lists every document once, under its own title', () => {
    const titles = decisions
      .filter((page) => page !== readme)
      .map((page) => `[${/^# (.+)/.exec(readFileSync(page, 'utf8'))?.[1]}](${basename(page)})`);
    const listed = [...readFileSync(readme, 'utf8').matchAll(/^- (\[.+?\]\(.+?\)):/gm)].map(([, entry]) => entry);
    expect(listed.toSorted()).toEqual(titles.toSorted());
  });

  test('it is read in an hour: 14,000 words at most', () => {
    expect(texts.join(' ').trim().split(/\s+/).length).toBeLessThanOrEqual(14_000);
  });

  test('each document is true as it stands, so none is superseded', () => {
    expect(decisions.filter((page) => /supersede/i.test(readFileSync(page, 'utf8')))).toEqual([]);
  });

  test('nothing cites a decision by a number', () => {
    const files = globSync(['{app,server,scripts,tests,db,content,docs}/**/*.{ts,tsx,css,sql,yaml,txt,md}', '*.md']);
    expect(files.length).toBeGreaterThan(1_000);
    const citing = files.filter((file) => /\bdecisions? \[?\d|decisions\/\d/i.test(readFileSync(file, 'utf8')));
    expect(citing).toEqual([]);
  });
});

test.each([...pages, ...decisions])('%s links only to files that exist', (file) => {
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)];
  expect(links.map(([, link = '']) => link).filter((link) => !existsSync(join(dirname(file), link)))).toEqual([]);
});
