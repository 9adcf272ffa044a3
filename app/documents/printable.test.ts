import { expect, test } from 'vitest';
import { brandHas, inNumbers, printable } from './printable.ts';

test('letters join their marks, invisible and direction characters are left out, joiners stay', () => {
  const name = 'Nguyễn Thị Ánh Tuyết, Żółć Łódź, Şahin, Țepeș, O’Neill – “A”';
  expect(printable(name)).toBe(name);
  expect(printable(name.normalize('NFD'))).toBe(name);
  expect(printable('王小明 Ada\nЖ')).toBe('王小明 Ada\nЖ');
  expect(printable('a\u202eb\u00adc\u0007d\te\ufe0f')).toBe('abcd e');
  expect(printable('ශ්\u200dරී')).toBe('ශ්\u200dරී');
});

test('the brand’s fonts have Latin letters and punctuation', () => {
  expect(brandHas('Łódź – “A” 12 €')).toBe(true);
  for (const other of ['李', 'Ж', 'α', 'م', '\u0301', '\u00ad', '😀']) expect(brandHas(other)).toBe(false);
});

test('a character that no font has is its number', () => {
  expect(inNumbers('😀')).toBe('[U+1F600]');
  expect(inNumbers('👩\u200d💻')).toBe('[U+1F469][U+1F4BB]');
  expect(inNumbers('\ud83d')).toBe('[U+D83D]');
});
