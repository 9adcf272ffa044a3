import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameSitePath } from './same-site-path.ts';

test.each([
  ['/', '/'],
  ['/?category=soc&page=2', '/?category=soc&page=2'],
  ['/courses#top', '/courses'],
  ['//evil.example/', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [null, '/'],
])('%j leads to %s', (text, path) => {
  expect(sameSitePath(text)).toBe(path);
});

test('no text leads off the site', () => {
  const parts = fc.constantFrom('/', '\\', '.', '..', '\t', '@', ':', '?', '#', 'evil.example', '%2f', 'http');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (list) => {
      const path = sameSitePath(list.join(''));
      expect(new URL(path, 'https://own.example').origin).toBe('https://own.example');
    }),
  );
});
