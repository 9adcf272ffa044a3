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
  [
    'BB-7KQ2MX from 30 Nov to 4 Dec 2026, 9:00 AM',
    '<span class="whitespace-nowrap">BB-7KQ2MX</span> from <span class="whitespace-nowrap">30 Nov</span> to <span class="whitespace-nowrap">4 Dec 2026</span>, <span class="whitespace-nowrap">9:00 AM</span>',
  ],
  [
    'Monday 1 September 2025: 7HK4 M2QX 9TRC P',
    'Monday <span class="whitespace-nowrap">1 September 2025</span>: <span class="whitespace-nowrap">7HK4 M2QX 9TRC P</span>',
  ],
  ['3 courses in 2025, 12 Decisions taken', '3 courses in 2025, 12 Decisions taken'],
  ['Date, In-Person Sydney', 'Date, <span class="whitespace-nowrap">In-Person</span> Sydney'],
])('codes and dates in "%s" stay on one line, words may break', (text, html) => {
  expect(renderToStaticMarkup(createElement(Unbroken, { text }))).toBe(html);
});
