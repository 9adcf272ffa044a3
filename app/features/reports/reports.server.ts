import { answers } from './answers.server.ts';
import { cancellations, courses, fromWhere, tracks } from './by-kind.server.ts';
import { enrolments, money, waiting } from './by-week.server.ts';
import { fill } from './fill.server.ts';
import { owed } from './owed.server.ts';
import type { Report } from './report.ts';
import { searches, stepsByCourse, stepsByWeek } from './visits.server.ts';

/** All reports in the order of their list; a further one is added here. */
export const reports: readonly Report[] = [
  money,
  owed,
  enrolments,
  courses,
  tracks,
  fromWhere,
  stepsByCourse,
  stepsByWeek,
  searches,
  fill,
  cancellations,
  waiting,
  answers,
];

export const reportAt = (slug: string): Report | undefined => reports.find((report) => report.slug === slug);
