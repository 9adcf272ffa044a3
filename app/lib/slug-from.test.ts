import { expect, test } from 'vitest';
import { slugFrom } from './slug-from.ts';

test('an address has lower-case words joined by hyphens', () => {
  expect(['CompTIA Security+', 'C++ & Café', ' What’s new? ', 'Māori data, 2026', '日本', ''].map(slugFrom)).toEqual([
    'comptia-security-plus',
    'c-plus-plus-and-cafe',
    'whats-new',
    'maori-data-2026',
    '',
    '',
  ]);
});
