import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('Latin letters of every kind are printed, what the fonts lack becomes a question mark', () => {
  const name = 'Nguyễn Thị Ánh Tuyết, Żółć Łódź, Şahin, Țepeș, O’Neill – “A”';
  expect(printable(name)).toBe(name);
  expect(printable(name.normalize('NFD'))).toBe(name);
  expect(printable('王小明 Ada\nЖ 😀')).toBe('??? Ada\n? ?');
});
