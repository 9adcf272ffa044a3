import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { centsTyped, formatCents, formatExact } from './exact-money.ts';

test('a sum is written to the cent, its sign before the currency', () => {
  expect([0, 5, 229_900, 1_099_805, -549_900].map(formatExact)).toEqual([
    'AU$0.00',
    'AU$0.05',
    'AU$2,299.00',
    'AU$10,998.05',
    '−AU$5,499.00',
  ]);
  expect([229_900, -5].map(formatCents)).toEqual(['2,299.00', '−0.05']);
});

test('P87: pages for staff and the trace write no sum without its cents, and in no way of their own', () => {
  const files = globSync('app/{routes/staff,ui/staff,audit}/**/*.{ts,tsx}', { cwd: projectRoot });
  const own = files.filter((file) =>
    // Values of fields (`value`) and currencies of others are written without a formatter.
    /\bformatMoney\b|formatCount\([^)]*toFixed/.test(readFileSync(path.join(projectRoot, file), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(own).toEqual([]);
});

test('a typed amount is read with or without its sign, thousands and cents; a comma is no decimal point', () => {
  expect(['$3,499', '3499.5', 'AU$ 0.05', '1,234,567.89'].map(centsTyped)).toEqual([349_900, 349_950, 5, 123_456_789]);
  expect(['12,50', '-3', '3499.123', 'free', ''].map(centsTyped)).toEqual([null, null, null, null, null]);
});
