import { sureLabel } from './clash-words.ts';

/** To whom of a course date staff can write. */
export const groupsOfDate = [
  ['attendees', 'People who attend'],
  ['buyers', 'Buyers'],
  ['waiting', 'People on the waiting list'],
] as const;

/** The labels of training sessions' fields. Apart from the schemas, so that pages can import them. */
export const sessionLabels = {
  course: 'Course',
  startDate: 'First day',
  endDate: 'Last day',
  startTime: 'From',
  endTime: 'To',
  breakMinutes: 'Breaks a day, in minutes',
  delivery: 'Online or in person',
  venue: 'City',
  zone: 'Time zone',
  instructor: 'Instructor',
  enrolmentEnds: 'Last day of enrolment',
  decidedBy: 'Decided by',
  capacity: 'Seats',
  minimum: 'Minimum',
  seats: 'Seats to hold',
  until: 'Held until the end of',
  label: 'For which quote',
  room: 'Room',
  street: 'Street',
  joiningLink: 'Link to the live class',
  count: 'How many dates',
  everyWeeks: 'Weeks between them',
  from: 'Term from',
  to: 'Term to',
  weeks: 'Weeks later',
  reason: 'Reason, as buyers read it',
  sure: sureLabel,
  note: 'Note',
} as const;
