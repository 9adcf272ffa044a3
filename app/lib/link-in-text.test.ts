import { expect, test } from 'vitest';
import { canBeName, hasLink } from './link-in-text.ts';

test('P24: a line with an address of the web or of mail has a link, and ordinary words have none', () => {
  const links = ['see https://x.example', 'WWW.win', 'win.com now', 'a@b', 'prize.com.au/x'];
  expect(links.filter((text) => !hasLink(text))).toEqual([]);
  const words = [
    'Harden our Node.js and ASP.NET servers.',
    'e.g. the on-call team',
    'By 30.6.2026',
    'all of ops. Company-wide',
  ];
  expect(words.filter(hasLink)).toEqual([]);
});

test('P24: a name has letters, and no number or address', () => {
  expect(
    ['Ada Byron', "Siobhán O'Neill-Müller", 'J. R. Smith, PhD', '李小龙'].filter((name) => !canBeName(name)),
  ).toEqual([]);
  expect(['Call 0400 000 000', 'win.com', 'a/b', 'you@x'].filter(canBeName)).toEqual([]);
});
