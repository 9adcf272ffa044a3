import { expect, test } from 'vitest';
import { refusedAddressIn, renderMarkdown } from './markdown.server.ts';

const [safe, own] = [
  '[a](https://example.org) [b](mailto:a@example.org) [c](tel:+617) [d](#top)',
  '![e](/e.png) [f](/faq)',
];

test('links lead to https, mail, a telephone or a page of ours, and pictures are ours', () => {
  const html = renderMarkdown(`${safe} ${own}`);
  expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
    'https://example.org',
    'mailto:a@example.org',
    'tel:+617',
    '#top',
    '/e.png',
    '/faq',
  ]);
  expect(refusedAddressIn(`${safe} ${own}`)).toBe(null);
});

test.each([
  '[words](javascript:alert)',
  '[words](data:text/html,hello)',
  '[words](//evil.example)',
  '[words](/\\evil.example)',
  '![words](https://evil.example/a.png)',
])('%s shows its words alone, and is a fault of the content', (text) => {
  expect(renderMarkdown(text)).toBe('<p>words</p>\n');
  expect(refusedAddressIn(text)).not.toBe(null);
});
