import { expect, test } from 'vitest';
import { permissionsOf, type Role } from '#app/features/people/permissions.ts';
import { entryAt, navFor } from './nav.ts';

const barOf = (role: Role, byCard = true) => {
  const can = permissionsOf([role]);
  return navFor({ has: (permission) => can.has(permission), byCard });
};
const words = (role: Role, byCard?: boolean) =>
  barOf(role, byCard).map(({ text, under }) => {
    const pages = under.filter(({ aside }) => !aside);
    return `${text}: ${pages.map((page) => page.text).join(', ')}`;
  });

test('the bar has the entries that lead somewhere, each with the pages that the person may open', () => {
  const all = words('owner');
  const names = all.map((line) => line.replace(/:.*/, ''));
  const eight = ['Today', 'Inbox', 'Enrolments', 'Course dates', 'People', 'Money', 'Content', 'Reports'];
  expect(names).toEqual(eight.filter((name) => names.includes(name)));
  expect(names).toEqual(expect.arrayContaining(['Today', 'Inbox', 'Enrolments', 'Course dates', 'Money', 'Content']));
  expect(words('reader')).toEqual(expect.arrayContaining(['Inbox: Inbox, Bookings, Templates']));
  expect(words('editor').slice(0, 2)).toEqual(['Today: Today', 'Course dates: Course dates']);
});

test('card payments are listed where they are set up', () => {
  const money = (byCard: boolean) => words('owner', byCard).find((line) => line.startsWith('Money'));
  expect(money(true)).toContain('Card payments');
  expect(money(false)).not.toContain('Card payments');
});

test('an instructor’s bar has their classes only', () => {
  expect(words('instructor')).toEqual(['My classes: Today, Classes, Exercises, Course dates']);
});

test('a page belongs to the entry with the longest address above it', () => {
  const bar = barOf('owner');
  const at = (path: string) => entryAt(bar, path)?.text ?? null;
  expect([
    at('/staff'),
    at('/staff/enquiries/BB-222222'),
    at('/staff/course-dates/new'),
    at('/staff/card-payments'),
    at('/staff/payments/7'),
    at('/staff/paymentsandmore'),
    at('/staff/mail'),
  ]).toEqual(['Today', 'Inbox', 'Course dates', 'Money', 'Money', null, null]);
  // Pages with an address apart from the list that they belong to.
  const apart = ['/staff/live-hours/new', '/staff/places/7/certificate', '/staff/terms/6', '/staff/money/rows/notes'];
  expect(apart.map(at)).toEqual(['Course dates', 'Course dates', 'Enrolments', 'Money']);
});
