import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';

const build = path.join(projectRoot, 'build');
const folder = path.join(build, 'client/assets');
/** The last build's. Three start something in the page and are left out; all others only define. */
const modules = (JSON.parse(readFileSync(path.join(build, '.files.json'), 'utf8')) as string[])
  .filter((file) => /^client\/assets\/[^/]+\.js$/.test(file))
  .map((file) => path.basename(file))
  .filter((file) => !/^(entry\.client|report-vitals|late-script)-/.test(file));

/** Evaluates modules as a page would, and tells which construct what is dear. */
const evaluate = `
const made = [];
let loading = '';
const count = (owner, name) => {
  owner[name] = new Proxy(owner[name], {
    construct: (what, args, as) => (made.push(loading + ': ' + name), Reflect.construct(what, args, as)),
    apply: (what, self, args) => (made.push(loading + ': ' + name), Reflect.apply(what, self, args)),
  });
};
for (const name of ['DateTimeFormat', 'NumberFormat', 'Collator', 'PluralRules', 'Segmenter', 'RelativeTimeFormat', 'ListFormat']) count(Intl, name);
globalThis.window = globalThis;
globalThis.location = new URL('http://localhost/');
globalThis.addEventListener = () => {};
globalThis.HTMLElement = class {};
const element = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => '' : element), apply: () => element });
globalThis.document = { querySelector: () => null, documentElement: { dataset: {} }, createElement: () => element, addEventListener() {} };
for (const file of JSON.parse(process.argv[1])) {
  loading = file.split('/').at(-1);
  await import(file);
}
console.log(JSON.stringify(made));
`;

test('no module that browsers get constructs anything dear when it is loaded', () => {
  const files = JSON.stringify(modules.map((file) => path.join(folder, file)));
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', evaluate, files], { encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(modules.length).toBeGreaterThan(50);
  expect(JSON.parse(run.stdout)).toEqual([]);
});

test('no module that browsers get holds schemas of zod', () => {
  const holding = modules.filter((file) => /\$Zod|ZodError/.test(readFileSync(path.join(folder, file), 'utf8')));
  expect(holding).toEqual([]);
});
