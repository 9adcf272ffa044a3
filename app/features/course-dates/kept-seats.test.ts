import { expect, test } from 'vitest';
import { keptText } from './kept-seats.ts';

const none = { held: 0, heldUntil: null, offered: 0, quoted: 0 };
const until = new Date('2025-09-08T16:14:20+10:00');

test('P27: seats that are held say until when, those offered that they are; no time of an offer', () => {
  expect(keptText(null)).toBe('');
  expect(keptText(none)).toBe('');
  expect(keptText({ ...none, held: 3, heldUntil: until })).toBe(
    '3 seats are held for people who are enrolling, and free again by 4:15 PM Brisbane time if they don’t enrol.',
  );
  expect(keptText({ ...none, held: 1, heldUntil: until, offered: 2, quoted: 1 })).toBe(
    '1 seat is held for someone who is enrolling, and free again by 4:15 PM Brisbane time if they don’t enrol. 2 seats are offered to people on the waiting list. 1 seat is held for a quote.',
  );
});

test('P27: the visitor’s own seats are not those of others', () => {
  expect(keptText({ ...none, held: 3, heldUntil: until }, 2)).toContain('1 seat is held for someone who is enrolling');
  expect(keptText({ ...none, held: 2, heldUntil: until }, 2)).toBe('');
});
