import { expect, test } from 'vitest';
import { type Needs, nearText, needsOf, oneList } from './need.ts';

const at = (text: string) => new Date(`${text}:00+10:00`);
const monday = at('2026-11-30T08:42');

test.each([
  ['2026-11-30T08:00', 'Today, 8:00 AM'],
  ['2026-11-30T12:00', 'Today, 12:00 PM'],
  ['2026-11-30T00:15', 'Today, 12:15 AM'],
  ['2026-11-29T18:00', 'Yesterday, 6:00 PM'],
  // Not `Fri`: on one page with what is due on the coming Friday, nobody could tell them apart.
  ['2026-11-27T18:00', 'Fri 27 Nov'],
  ['2026-12-04T18:00', 'Fri, 6:00 PM'],
  ['2026-12-03T18:00', 'Thu, 6:00 PM'],
  ['2026-11-20T18:00', '20 Nov'],
  ['2027-01-11T09:00', '11 Jan'],
])('%s is told as %s on Monday 30 November 2026', (instant, text) => {
  expect(nearText(at(instant), monday)).toBe(text);
});

const due = (key: string, text: string) => ({
  ...{ kind: 'Message', key, dueAt: at(text), who: '', words: '', to: '/', holder: null },
});
const messages = { text: 'All new messages', to: '/staff/enquiries' };
const chats = { text: 'All chats', to: '/staff/conversations' };

const people = (needs: Needs) => ({ ...needs, group: 'People' as const });

test('all that waits is one list, the oldest promise first, with how many promises were broken', () => {
  const list = oneList(
    [
      people(needsOf(['a', 'b'], messages, (key) => due(key, key === 'a' ? '2026-12-01T18:00' : '2026-11-27T18:00'))),
      people(needsOf(['c'], chats, (key) => due(key, '2026-11-30T08:40'))),
    ],
    monday,
  );
  expect(list).toMatchObject({ open: 3, late: 2, isLeast: false, lists: [] });
  expect(list.needs.map(({ key }) => key)).toEqual(['b', 'c', 'a']);
});

test('of a kind twenty are read and thirty of all shown; the lists of the others are named once', () => {
  const rows = Array.from({ length: 21 }, (_, key) => String(key));
  const early = needsOf(rows, messages, (key) => due(key, '2026-11-30T09:00'));
  const late = needsOf(rows.slice(0, 15), chats, (key) => due(key, '2026-12-01T09:00'));
  expect([early.cut, late.cut]).toEqual([true, false]);
  const list = oneList([people(early), people(late)], monday);
  expect([list.needs.length, list.open, list.isLeast]).toEqual([30, 35, true]);
  expect(list.lists).toEqual([chats, messages]);
});

test('money and decisions come before people, and teaching last, however late', () => {
  const [teaching, money] = [
    { ...needsOf(['marking'], chats, (key) => due(key, '2026-10-01T18:00')), group: 'Teaching' as const },
    { ...needsOf(['refund'], messages, (key) => due(key, '2026-12-01T18:00')), group: 'Money and dates' as const },
  ];
  const person = people(needsOf(['message'], messages, (key) => due(key, '2026-11-27T18:00')));
  expect(oneList([teaching, person, money], monday).needs.map(({ key }) => key)).toEqual([
    'refund',
    'message',
    'marking',
  ]);
});
