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
  'docs/operating.md',
  'docs/product.md',
  'docs/security.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
];

test.each(pages)('%s names only files and folders that exist', (file) => {
  expect(pathsIn(readFileSync(file, 'utf8')).filter((path) => !existsSync(path))).toEqual([]);
});

test.each(pages)('%s names no file alone that is nowhere', (file) => {
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

test('the README has every setting', () => {
  const table =
    readFileSync('README.md', 'utf8')
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

test('docs/product.md has every decision that code, tests and pages cite, and each once', () => {
  const text = readFileSync('docs/product.md', 'utf8');
  const listed = [...text.matchAll(/^- \*\*(P\d+)\*\* /gm)].map(([, name]) => name);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.length).toBeGreaterThan(85);
  const files = globSync(['{app,scripts,server,tests}/**/*.{ts,tsx,css}', '*.md', 'docs/*.md']);
  // The list itself also says which ones are not built.
  const citing = files.filter((file) => file !== 'docs/product.md');
  const cited = new Set(citing.flatMap((file) => readFileSync(file, 'utf8').match(/\bP\d{1,3}\b/g) ?? []));
  expect([...cited].filter((name) => !listed.includes(name))).toEqual([]);
});

test('a decision that no other one replaces, not even in part, names only files that exist', () => {
  const current = globSync('docs/decisions/*.md').filter((page) => !/^Superseded/m.test(readFileSync(page, 'utf8')));
  expect(current.length).toBeGreaterThan(40);
  const missing = current.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    return [...pathsIn(text).filter((path) => !existsSync(path)), ...unknownNames(text)].map((name) => [page, name]);
  });
  expect(missing).toEqual([]);
});

test('no comment stands between another comment and what that one describes', () => {
  const files = globSync('{app,scripts,server,tests}/**/*.{ts,tsx}');
  const stranded = files.filter((file) => /\*\/\n[ \t]*\/\*\*/.test(readFileSync(file, 'utf8')));
  expect(stranded).toEqual([]);
});

describe('decisions', () => {
  const decisions = globSync('docs/decisions/0*.md').map((path) => {
    const text = readFileSync(path, 'utf8');
    const [, title = '', number = ''] = /^# ((\d+)\. .+)/.exec(text) ?? [];
    return {
      number,
      line: `[${title}](${basename(path)})`,
      supersededBy: linked(text, /^Superseded .*/gm),
      supersedes: linked(text, /^Supersedes.*/gm),
    };
  });
  const index = readFileSync('docs/decisions/README.md', 'utf8');

  test('docs/decisions/README.md lists each decision once, under its own title', () => {
    const listed = [...index.matchAll(/^- (\[\d+\. .+?\]\([\w.-]+\))/gm)].map(([, line]) => line);
    expect(decisions.length).toBeGreaterThan(115);
    expect(listed.toSorted()).toEqual(decisions.map(({ line }) => line).toSorted());
  });

  test('docs/decisions/README.md names behind each decision those that changed it', () => {
    const marked = decisions.map(({ line, number }) => {
      const entry = index.split('\n').find((text) => text.startsWith(`- ${line}`)) ?? '';
      return [number, linked(entry.slice(line.length + 2), /.*/g)];
    });
    expect(marked).toEqual(decisions.map(({ number, supersededBy }) => [number, supersededBy]));
  });

  test('a decision that supersedes another is named at the top of that one', () => {
    const missing = decisions.flatMap(({ number, supersedes }) =>
      supersedes
        .filter((other) => !decisions.find((one) => one.number === other)?.supersededBy.includes(number))
        .map((other) => `decision ${other} does not name ${number}`),
    );
    expect(missing).toEqual([]);
  });

  /** The numbers of the decisions that the matching lines link to, lowest first. */
  function linked(text: string, lines: RegExp): string[] {
    const numbers = (text.match(lines) ?? []).flatMap((line) =>
      [...line.matchAll(/\[(\d+)\]\(/g)].map(([, number = '']) => number),
    );
    return [...new Set(numbers)].toSorted((a, b) => Number(a) - Number(b));
  }
});

test.each([...pages, ...globSync('docs/decisions/*.md'), 'docs/performance.md'])(
  '%s links only to files that exist',
  (file) => {
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)];
    expect(links.map(([, link = '']) => link).filter((link) => !existsSync(join(dirname(file), link)))).toEqual([]);
  },
);
