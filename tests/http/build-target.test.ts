import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { oldestOf, scriptUses, selectorUses } from '#tests/support/newer-than-target.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const target = /target: \[([^\]]+)\]/.exec(read('vite.config.ts'))?.[1] ?? '';
const oldest = oldestOf(target.split(',').map((one) => one.trim().replaceAll("'", '')));
const built: string[] = JSON.parse(read('build/.files.json'));

let academy: AcademyApp;
let home: string;
beforeAll(async () => {
  academy = await openAcademyApp();
  home = await (await academy.request('/')).text();
});
afterAll(() => academy.close());

test('the program is tested with the builds of packages that visitors get', () => {
  expect(process.execArgv).not.toContain('development');
});

const inline = (tag: string) =>
  [...home.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, text = '']) => text);

test('no script uses what the oldest browsers of the build target lack', () => {
  const files = built.filter((file) => /^client\/.*\.js$/.test(file));
  expect(files.length).toBeGreaterThan(50);
  const scripts = [
    ...files.map((file) => [file, read(`build/${file}`)] as const),
    ['inline', inline('script').join('\n')] as const,
  ];
  // What a script looks for before it calls it may be missing.
  const guarded = /typeof (\w+\.\w+)==`function`\?\1\(/g;
  const found = scripts.flatMap(([file, text]) =>
    scriptUses(text.replace(guarded, ''), oldest).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('no selector that they do not know takes others with it', () => {
  const sheets = built.filter((file) => /^client\/.*\.css$/.test(file)).map((file) => read(`build/${file}`));
  expect(inline('style').join('').length).toBeGreaterThan(10_000);
  expect([...sheets, ...inline('style')].flatMap((css) => selectorUses(css, oldest))).toEqual([]);
});

test('newer features are found, guarded and old enough ones are not', () => {
  const of = (text: string) => scriptUses(text, { chrome: 111, safari: 16.4, firefox: 128 });
  expect(of('let u=URL.canParse(t)')).toEqual(['URL.canParse']);
  expect(of('Object.groupBy(a,b)')).toEqual(['Object.groupBy']);
  expect(of('m.values().map(f),Object.keys(o).map(f)')).toEqual(['helpers of iterators']);
  expect(of('Object.keys(o).map(f)')).toEqual([]);
  expect(of('t.match(/[a-z]/v)')).toEqual(['the v flag of regular expressions']);
  expect(of('requestIdleCallback(f)')).toEqual(['requestIdleCallback']);
  expect(of('`requestIdleCallback`in window?requestIdleCallback(f):setTimeout(f)')).toEqual([]);
  expect(of('a.matches(`:popover-open`)')).toEqual(['popovers']);
  expect(of('a.showPopover&&a.matches(`:popover-open`)')).toEqual([]);
  expect(of('structuredClone(a);a.toSorted()')).toEqual([]);
  expect(scriptUses('URL.canParse(t)', { chrome: 120, safari: 17, firefox: 128 })).toEqual([]);
  const css = 'a:popover-open,b{c:d}e:popover-open{c:d}:is(a,b:popover-open),f{c:d}';
  expect(selectorUses(css, oldest)).toEqual([':popover-open in a:popover-open,b']);
});
