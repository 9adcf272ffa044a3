import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const named = /[`(]((?:app|server|scripts|tests|content|db|docs|deploy)\/[\w./-]+)[`)]/g;

test.each([
  'README.md',
  'docs/architecture.md',
  'docs/brand.md',
  'docs/changing.md',
  'docs/operating.md',
  'docs/product.md',
  'docs/security.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
])('%s names only files and folders that exist', (file) => {
  const paths = [...readFileSync(file, 'utf8').matchAll(named)].map(([, path = '']) => path);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test('docs/security.md names only tests that exist', () => {
  const claims = [...readFileSync('docs/security.md', 'utf8').matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)];
  expect(claims.length).toBeGreaterThan(25);
  const missing = claims.filter(([, file = '', title = '']) => !readFileSync(file, 'utf8').includes(title));
  expect(missing.map(([claim]) => claim)).toEqual([]);
});

test('docs/product.md has every decision from P1 to P49', () => {
  const text = readFileSync('docs/product.md', 'utf8');
  const missing = Array.from({ length: 49 }, (_, at) => `P${at + 1}`).filter(
    (name) => !text.includes(`- **${name}** `),
  );
  expect(missing).toEqual([]);
});
