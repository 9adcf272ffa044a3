import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { lockNumbers } from './lock-numbers.ts';

test('no two locks have the same number', () => {
  const numbers = Object.values(lockNumbers);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('every advisory lock has its number from the list, or from its name', async () => {
  const odd: string[] = [];
  for (const file of globSync('{app,server,scripts}/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    const text = await readFile(file, 'utf8');
    for (const [, key = ''] of text.matchAll(/pg_\w*advisory\w+\(([^)]*)/g)) {
      if (!/^(hashtext|number$|\$\{lockNumbers\.|\$1$)/.test(key)) odd.push(`${file}: ${key}`);
    }
  }
  expect(odd).toEqual([]);
});
