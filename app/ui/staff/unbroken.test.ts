import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Unbroken } from './unbroken.tsx';

const kept = (text: string) => `<span class="whitespace-nowrap">${text}</span>`;

test.each([
  [
    'BB-7KQ2MX from 30 Nov to 4 Dec 2026, 9:00 AM',
    `${kept('BB-7KQ2MX')} from ${kept('30 Nov')} to ${kept('4 Dec 2026')}, ${kept('9:00 AM')}`,
  ],
  ['Monday 1 September 2025: 7HK4 M2QX 9TRC P', `Monday ${kept('1 September 2025')}: ${kept('7HK4 M2QX 9TRC P')}`],
  ['3 courses in 2025, 12 Decisions taken', '3 courses in 2025, 12 Decisions taken'],
  ['Date, In-Person Sydney', `Date, ${kept('In-Person')} Sydney`],
])('codes and dates in "%s" stay on one line on pages of staff, words may break', (text, html) => {
  expect(renderToStaticMarkup(createElement(Unbroken, { text }))).toBe(html);
});
