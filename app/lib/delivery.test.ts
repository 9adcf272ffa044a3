import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deliveryText, taughtText } from './delivery.ts';

test('how and where for staff: one wording, which always names the city of a room', () => {
  expect(taughtText({ delivery: 'online', venue: null })).toBe('Online');
  expect(taughtText({ delivery: 'both', venue: 'Sydney' })).toBe('Online/Sydney');
  expect(taughtText({ delivery: 'both', venue: 'Brisbane' })).toBe('Online/Brisbane');
  expect(taughtText({ delivery: 'in-person', venue: 'Melbourne' })).toBe('Melbourne');
});

test('P14: how and where for visitors names the city of every room, Brisbane too', () => {
  expect(deliveryText({ delivery: 'both', venue: 'Brisbane' })).toBe('Online/In-Person Brisbane');
  expect(deliveryText({ delivery: 'in-person', venue: 'Sydney' })).toBe('In-Person Sydney');
  expect(deliveryText({ delivery: 'online', venue: null })).toBe('Online');
});

test('pages for staff have no other wording; files for programs keep that of the site', () => {
  const folder = new URL('../routes/staff/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const withAnother = sources.filter((name) => /\bdeliveryText\b/.test(readFileSync(new URL(name, folder), 'utf8')));
  expect(sources.length).toBeGreaterThan(100);
  expect(withAnother).toEqual(['enrolments/enrolment-list.tsx']);
});
