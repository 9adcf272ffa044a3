import { expect, test } from 'vitest';
import type { CourseContent } from '#app/features/content/course-schema.ts';
import { asksForWork, attendanceIn, completionFaults } from './completion.ts';

const course = (credential: string, completion?: CourseContent['completion']) =>
  ({
    description: '',
    overview: '',
    objectives: [],
    curriculum: [],
    prerequisites: [],
    credential,
    completion,
  }) as unknown as CourseContent;
const messages = (one: CourseContent) => completionFaults([one]).map(({ message }) => message);

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
  expect(messages(course(text))).toEqual(['asks for 85% attendance, and the course is completed with 80% (P61)']);
  expect(messages(course(text, { attendance: 85 }))).toEqual([]);
});

test('P61: so many of so many days are the share that the rule asks for', () => {
  expect(messages(course('Attend five of the six Saturdays and complete the lab sheet.'))).toEqual([]);
  expect(messages(course('Attend four of six days.'))).toEqual([
    'asks for 4 of 6 days, and the course is completed with 80% of the hours (P61)',
  ]);
  expect(messages(course('Attend ten of ten days.'))).toEqual([
    'asks for 10 of 10 days, and the course is completed with 80% of the hours (P61)',
  ]);
});

test('P61: a certificate for attendance alone asks for no work', () => {
  const alone = { attendanceAlone: true } as const;
  const text = 'Hand in six attack sheets; our certificate of completion then follows.';
  const fault = 'asks for work, and the course is completed by attendance alone (P61)';
  expect(messages(course(text, alone))).toEqual([fault]);
  expect(messages(course(text))).toEqual([]);
  expect(
    messages(course('Everybody who was there gets our certificate. The exam N10-009 is run by CompTIA.', alone)),
  ).toEqual([]);
  expect(asksForWork('Score 80% in the last mock to receive the certificate.')).toBe(true);
});

test('P60: no text of a course promises a weekly live hour', () => {
  const fault = 'promises a weekly live hour, which only the page itself does where one is set (P60)';
  expect(messages(course('Bring your questions to the weekly live hour.'))).toEqual([fault]);
  expect(messages(course('There is a live hour every week.'))).toEqual([fault]);
  expect(messages(course('Sixteen hours are live.'))).toEqual([]);
});
