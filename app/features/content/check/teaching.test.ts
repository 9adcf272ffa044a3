import { beforeAll, expect, test } from 'vitest';
import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { Content } from '#app/features/content/schema.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { sampleCourse } from '#tests/support/sample-content.ts';
import {
  asksForWork,
  attendanceIn,
  completionFaults,
  earlyCountFaults,
  guidedStudyFaults,
  liveHoursIn,
  taughtHoursFaults,
} from './teaching.ts';

let academy: Content;
beforeAll(async () => {
  academy = await readAcademy();
});

const messages = (content: Content) => taughtHoursFaults(content).map(({ message }) => message);
const withCourseDate = (slug: string, parts: Partial<Content['courseDates'][number]>): Content => ({
  ...academy,
  courseDates: academy.courseDates.map((one) => (one.slug === slug ? { ...one, ...parts } : one)),
});

test('the academy’s course dates teach no more hours than their courses have', () => {
  expect(messages(academy)).toEqual([]);
});

test('a course date that teaches more than its course has is a fault', () => {
  expect(messages(withCourseDate('network-defence-online', { endTime: '16:00' }))).toEqual([
    '32.5 hours are taught, more than the 30 of network-defence-essentials',
  ]);
});

test('a day of more than six hours needs a break; one of six does not', () => {
  expect(messages(withCourseDate('cissp-melbourne', { breakMinutes: undefined }))).toEqual([
    'a day of more than 6 hours needs "breakMinutes"',
  ]);
  expect(messages(withCourseDate('cissp-melbourne', { breakMinutes: undefined, endTime: '15:00' }))).toEqual([]);
});

test('no course date of the files falls on a public holiday of its place', () => {
  const cup = { startDate: '2025-11-03', endDate: '2025-11-07' };
  expect(messages(withCourseDate('cissp-melbourne', cup))).toEqual(['2025-11-04 is Melbourne Cup Day there']);
  expect(messages(withCourseDate('ethical-hacker-sydney', cup))).toEqual([]);
});

test('a course may not promise more live hours than its course date teaches', () => {
  const promising = (credential: string): Content => ({
    ...academy,
    courses: academy.courses.map((course) => (course.slug === 'cissp' ? { ...course, credential } : course)),
  });
  expect(messages(promising('All 80 hours are taught live.'))).toEqual([
    'promises 80 hours live; a course date teaches 37.5',
  ]);
  expect(messages(promising('Some 35 hours are taught live. The other 45 hours are yours.'))).toEqual([]);
});

test('live hours are read in figures and in words', () => {
  expect(liveHoursIn('Thirty hours are live teaching, fourteen go to cases.')).toEqual([30]);
  expect(liveHoursIn('Twenty-eight of the 40 hours are spent in class.')).toEqual([28]);
  expect(liveHoursIn('In class: 12.5 hours. At home: 90 hours.')).toEqual([12.5]);
  expect(liveHoursIn('Some hours are live.')).toEqual([]);
});

const completedCourse = (credential: string, completion?: CourseContent['completion']) =>
  ({
    description: '',
    overview: '',
    objectives: [],
    curriculum: [],
    prerequisites: [],
    credential,
    completion,
  }) as unknown as CourseContent;
const completionMessages = (one: CourseContent) => completionFaults([one]).map(({ message }) => message);

test('the share of attendance is read in figures, in words, and as the share that may be missed', () => {
  expect(attendanceIn('Attend at least 85% of classes, and pass.')).toEqual([85]);
  expect(attendanceIn('Attendance of 85 per cent and a pass')).toEqual([85]);
  expect(attendanceIn('with at least 85 per cent attendance')).toEqual([85]);
  expect(attendanceIn('having attended 85 per cent, passed')).toEqual([85]);
  expect(attendanceIn('you attend 90 per cent of classes or more')).toEqual([90]);
  expect(attendanceIn('miss no more than 15 per cent of classes')).toEqual([85]);
  expect(attendanceIn('a passed 30-question paper (70 per cent)')).toEqual([]);
});

test('P61: a text asks for the attendance that completes the course, and for no other', () => {
  const text = 'Attendance of 85% brings the certificate.';
  expect(completionMessages(completedCourse(text))).toEqual([
    'asks for 85% attendance, and the course is completed with 80% (P61)',
  ]);
  expect(completionMessages(completedCourse(text, { attendance: 85 }))).toEqual([]);
});

test('P61: so many of so many days are the share that the rule asks for', () => {
  expect(completionMessages(completedCourse('Attend five of the six Saturdays and complete the lab sheet.'))).toEqual(
    [],
  );
  expect(completionMessages(completedCourse('Attend four of six days.'))).toEqual([
    'asks for 4 of 6 days, and the course is completed with 80% of the hours (P61)',
  ]);
  expect(completionMessages(completedCourse('Attend ten of ten days.'))).toEqual([
    'asks for 10 of 10 days, and the course is completed with 80% of the hours (P61)',
  ]);
});

test('P61: a certificate for attendance alone asks for no work', () => {
  const alone = { attendanceAlone: true } as const;
  const text = 'Hand in six attack sheets; our certificate of completion then follows.';
  const fault = 'asks for work, and the course is completed by attendance alone (P61)';
  expect(completionMessages(completedCourse(text, alone))).toEqual([fault]);
  expect(completionMessages(completedCourse(text))).toEqual([]);
  expect(
    completionMessages(
      completedCourse('Everybody who was there gets our certificate. The exam N10-009 is run by CompTIA.', alone),
    ),
  ).toEqual([]);
  expect(asksForWork('Score 80% in the last mock to receive the certificate.')).toBe(true);
});

test('P60: no text of a course promises a weekly live hour', () => {
  const fault = 'promises a weekly live hour, which only the page itself does where one is set (P60)';
  expect(completionMessages(completedCourse('Bring your questions to the weekly live hour.'))).toEqual([fault]);
  expect(completionMessages(completedCourse('There is a live hour every week.'))).toEqual([fault]);
  expect(completionMessages(completedCourse('Sixteen hours are live.'))).toEqual([]);
});

test('P38: one person can do on any day what the text of a guided course says', () => {
  const parts = { curriculum: [{ module: 'Labs', topics: ['Attack and defend in pairs', 'A write-up'] }] };
  const grouped = sampleCourse('a', {
    ...parts,
    overview: 'Each lesson has an hour of explanation.',
    credential: 'Survive a design review.',
  });
  expect(guidedStudyFaults([grouped])).toEqual([]);
  expect(guidedStudyFaults([{ ...grouped, guided: true }])).toEqual([
    { file: { course: 0 }, path: ['overview'], message: expect.stringContaining('"hour of explanation"') },
    { file: { course: 0 }, path: ['curriculum', 0, 'topics', 0], message: expect.stringContaining('"in pairs"') },
    { file: { course: 0 }, path: ['credential'], message: expect.stringContaining('"design review"') },
  ]);
  expect(guidedStudyFaults([sampleCourse('b', { guided: true, credential: 'Write classes in Python.' })])).toEqual([]);
});

const earlyFaults = (parts: Partial<CourseContent>) => {
  const texts = { description: '', objectives: [], curriculum: [], prerequisites: [], credential: '' };
  const course = { ...texts, overview: '', learners: 0, published: '2025-03-31', ...parts } as unknown as CourseContent;
  return earlyCountFaults({ courses: [course], site: { asOf: '2025-09-08' } as Content['site'] });
};

test('P41: a course has learners and a rating only once somebody can have finished it', () => {
  const message = 'nobody has finished by asOf, 2025-09-08: the course takes 28 weeks from 2025-03-31 (P41)';
  const overview = 'Two evenings for twenty-eight weeks, the last six weeks of them on a project.';
  expect(earlyFaults({ overview, learners: 480, rating: 4.9 })).toEqual([
    { file: { course: 0 }, path: ['learners'], message },
    { file: { course: 0 }, path: ['rating'], message },
  ]);
  expect(earlyFaults({ overview })).toEqual([]);
  expect(earlyFaults({ overview, learners: 480, rating: 4.9, published: '2025-02-24' })).toEqual([]);
  expect(earlyFaults({ overview: 'Forty hours.', learners: 480, rating: 4.9 })).toEqual([]);
});
