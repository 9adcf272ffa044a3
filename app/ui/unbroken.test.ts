import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Unbroken } from './unbroken.tsx';

test.each([
  ['Microsoft Identity (SC-300)', 'Microsoft Identity <span class="whitespace-nowrap">(SC-300)</span>'],
  [
    'A+ (220-1201 and 220-1202)',
    'A+ <span class="whitespace-nowrap">(220-1201</span> and <span class="whitespace-nowrap">220-1202)</span>',
  ],
  [
    'Practise the exam’s hands-on part in a twelve-week course',
    'Practise the exam’s hands-on part in a twelve-week course',
  ],
  ['Date, In-Person Sydney', 'Date, <span class="whitespace-nowrap">In-Person</span> Sydney'],
])('codes in "%s" stay on one line, words may break', (text, html) => {
  expect(renderToStaticMarkup(createElement(Unbroken, { text }))).toBe(html);
});
