import { expect, test } from 'vitest';
import type { AccountRecords } from '#app/features/enrolments/account.server.ts';
import { needsOf } from './needs.ts';

const courseDate = { state: 'confirmed', startsOn: '2025-11-24', endsOn: '2025-11-28' };
const place = (more: object = {}) => ({
  id: 1,
  way: 'date',
  state: 'active',
  courseTitle: 'CCNA',
  courseDate,
  chooseBy: null,
  chooseWhy: null,
  attendee: { name: 'Ada' },
  ...more,
});
const bought = (places: object[], open: object[] = []) => ({
  token: 'b0',
  enrolment: { reference: 'BB-222222', title: 'CCNA', places },
  money: { open, onItsWayCents: 0 },
});
const records = (parts: object): AccountRecords =>
  ({ bought: [], attended: [], offers: [], waiting: [], ...parts }) as unknown as AccountRecords;
const needs = (parts: object, studies: Parameters<typeof needsOf>[1] = [], today = '2025-11-21') =>
  needsOf(records(parts), studies, today);

test('P56: tasks with a day come first, in the order of the days', () => {
  const invoice = { number: 'TI-1', dueOn: '2025-11-25', dueCents: 229_900 };
  const study = { placeId: 9, modules: [{ number: 2, mark: { accepted: false } }] };
  const guided = { token: 'a9', place: place({ id: 9, way: 'guided', courseDate: null }) };
  const offer = { token: 'c0', title: 'Threat Hunting', until: new Date('2025-11-23T14:00:00Z') };
  const unnamed = bought([place({ attendee: { name: null } })]);
  const all = needs({ bought: [bought([place()], [invoice]), unnamed], attended: [guided], offers: [offer] }, [study]);
  expect(all.map(({ by, title, others }) => [by, title, others])).toEqual([
    ['By Sun 23 Nov, 11:59 PM', 'A seat is free: Threat Hunting', true],
    ['By Mon 24 Nov', 'Name an attendee', false],
    ['By Tue 25 Nov', 'AU$2,299 for CCNA', false],
    ['Any time', 'Not yet accepted: CCNA, module 2', false],
  ]);
  expect(all.map(({ act }) => act.to)).toEqual([
    '/waiting/c0',
    '/enrolment/b0',
    '/enrolment/b0',
    '/place/a9/9/module/2',
  ]);
});

test('P56: money is asked for when it is due on a day, and overdue from the day after', () => {
  const open = (dueOn: string | null, dueCents = 100_000) => [{ number: 'TI-1', dueOn, dueCents }];
  const by = (invoices: object[], today: string) => needs({ bought: [bought([place()], invoices)] }, [], today)[0]?.by;
  expect(by(open('2025-11-25'), '2025-11-25')).toBe('By Tue 25 Nov');
  expect(by(open('2025-11-25'), '2025-11-26')).toBe('Due Tue 25 Nov, overdue');
  expect(by(open(null), '2025-11-26')).toBeUndefined();
  expect(by(open('2025-11-25', 0), '2025-11-26')).toBeUndefined();
});

test('P56: a choice is open until its day, and after it while the date is cancelled', () => {
  const moved = place({ chooseBy: '2025-11-23', chooseWhy: 'course-date-moved' });
  const lost = place({
    chooseBy: '2025-11-23',
    chooseWhy: 'course-date-cancelled',
    courseDate: { ...courseDate, state: 'cancelled' },
  });
  const asked = (one: object, today: string) => needs({ bought: [bought([one])] }, [], today).map(({ by }) => by);
  expect([asked(moved, '2025-11-23'), asked(moved, '2025-11-24')]).toEqual([['By Sun 23 Nov'], []]);
  expect([asked(lost, '2025-11-23'), asked(lost, '2025-11-24')]).toEqual([['By Sun 23 Nov'], ['By Sun 23 Nov']]);
});

test('P56: attendees without a name are one thing for each enrolment; those of cancelled places are none', () => {
  const nobody = { attendee: { name: null } };
  const three = bought([place(nobody), place({ ...nobody, id: 2 }), place({ ...nobody, id: 3, state: 'cancelled' })]);
  expect(needs({ bought: [three] }).map(({ title, detail }) => [title, detail])).toEqual([
    ['Name 2 attendees', 'CCNA, 24 to 28 November 2025.'],
  ]);
});

test('P56: nobody is asked to name attendees of a date that is over', () => {
  const unnamed = [bought([place({ attendee: { name: null } })])];
  const count = (today: string) => needs({ bought: unnamed }, [], today).length;
  expect([count('2025-11-28'), count('2025-11-29')]).toEqual([1, 0]);
});

test('P56: an exercise waits for the player only when its mark is "not yet"', () => {
  const guided = (state: string) => [{ token: 'a9', place: place({ id: 9, way: 'guided', courseDate: null, state }) }];
  const study = (mark: { accepted: boolean } | null) => [{ placeId: 9, modules: [{ number: 1, mark }] }];
  expect(needs({ attended: guided('active') }, study(null))).toEqual([]);
  expect(needs({ attended: guided('active') }, study({ accepted: true }))).toEqual([]);
  expect(needs({ attended: guided('active') }, study({ accepted: false }))).toHaveLength(1);
  expect(needs({ attended: guided('cancelled') }, study({ accepted: false }))).toEqual([]);
});

test('P98: an entry of a waiting list is confirmed on its page; a confirmed one needs nothing', () => {
  const entry = (confirmed: boolean) => ({ token: 'c0', title: 'CCSP', confirmed });
  expect(needs({ waiting: [entry(true)] })).toEqual([]);
  expect(needs({ waiting: [entry(false)] })).toMatchObject([
    { title: 'Confirm your place on the list: CCSP', act: { to: '/waiting/c0' } },
  ]);
});
