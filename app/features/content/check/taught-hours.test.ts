import { beforeAll, expect, test } from 'vitest';
import type { Content } from '#app/features/content/schema.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { liveHoursIn, taughtHoursFaults } from './taught-hours.ts';

let academy: Content;
beforeAll(async () => {
  academy = await readAcademy();
});

const messages = (content: Content) => taughtHoursFaults(content).map(({ message }) => message);
const withSession = (slug: string, parts: Partial<Content['trainingSessions'][number]>): Content => ({
  ...academy,
  trainingSessions: academy.trainingSessions.map((one) => (one.slug === slug ? { ...one, ...parts } : one)),
});

test('the academy’s sessions teach no more hours than their courses have', () => {
  expect(messages(academy)).toEqual([]);
});

test('a session that teaches more than its course has is a fault', () => {
  expect(messages(withSession('network-defence-online', { endTime: '16:00' }))).toEqual([
    '32.5 hours are taught, more than the 30 of network-defence-essentials',
  ]);
});

test('a day of more than six hours needs a break; one of six does not', () => {
  expect(messages(withSession('cissp-melbourne', { breakMinutes: undefined }))).toEqual([
    'a day of more than 6 hours needs "breakMinutes"',
  ]);
  expect(messages(withSession('cissp-melbourne', { breakMinutes: undefined, endTime: '15:00' }))).toEqual([]);
});

test('no session of the files falls on a public holiday of its place', () => {
  const cup = { startDate: '2025-11-03', endDate: '2025-11-07' };
  expect(messages(withSession('cissp-melbourne', cup))).toEqual(['2025-11-04 is Melbourne Cup Day there']);
  expect(messages(withSession('ethical-hacker-sydney', cup))).toEqual([]);
});

test('a course may not promise more live hours than its session teaches', () => {
  const promising = (credential: string): Content => ({
    ...academy,
    courses: academy.courses.map((course) => (course.slug === 'cissp' ? { ...course, credential } : course)),
  });
  expect(messages(promising('All 80 hours are taught live.'))).toEqual([
    'promises 80 hours live; a session teaches 37.5',
  ]);
  expect(messages(promising('Some 35 hours are taught live. The other 45 hours are yours.'))).toEqual([]);
});

test('live hours are read in figures and in words', () => {
  expect(liveHoursIn('Thirty hours are live teaching, fourteen go to cases.')).toEqual([30]);
  expect(liveHoursIn('Twenty-eight of the 40 hours are spent in class.')).toEqual([28]);
  expect(liveHoursIn('In class: 12.5 hours. At home: 90 hours.')).toEqual([12.5]);
  expect(liveHoursIn('Some hours are live.')).toEqual([]);
});
