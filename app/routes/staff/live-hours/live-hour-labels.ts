import { sureLabel } from '#app/features/course-dates/clash-words.ts';

/** The labels of a live hour's fields. Apart from the schemas, so that pages can import them. */
export const liveHourLabels = {
  course: 'Course',
  instructor: 'Instructor',
  firstOn: 'First day',
  lastOn: 'Last day',
  startsAt: 'From',
  minutes: 'Length in minutes',
  zone: 'Time zone',
  link: 'Link to the live hour',
  day: 'Day without a live hour',
  reason: 'Why',
  from: 'None from this day on',
  sure: sureLabel,
} as const;

export const zones = [
  ['Australia/Brisbane', 'Brisbane'],
  ['Australia/Sydney', 'Sydney'],
  ['Australia/Melbourne', 'Melbourne'],
] as const;
