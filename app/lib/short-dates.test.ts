import { expect, test } from 'vitest';
import { shortDays } from './short-dates.ts';

test.each([
  ['2025-09-08', '2025-09-08', '8 Sept 2025'],
  ['2025-09-08', '2025-09-12', '8 to 12 Sept 2025'],
  ['2025-09-29', '2025-10-03', '29 Sept to 3 Oct 2025'],
  ['2025-12-29', '2026-01-02', '29 Dec 2025 to 2 Jan 2026'],
])('%s to %s is %s', (first, last, text) => expect(shortDays(first, last)).toBe(text));
