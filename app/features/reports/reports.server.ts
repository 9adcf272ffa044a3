import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { answers } from './answers.server.ts';
import { cancellations, courses, fromWhere, tracks } from './by-kind.server.ts';
import { enrolments, money, waiting } from './by-week.server.ts';
import { fill } from './fill.server.ts';
import { owed } from './owed.server.ts';
import type { Period } from './period.ts';
import { quotes } from './quotes.server.ts';
import type { Figures, Part, Report } from './report.ts';
import { searches, stepsByCourse, stepsByWeek } from './visits.server.ts';

/** All reports in the order of their list; a further one is added here. */
export const reports: readonly Report[] = [
  money,
  owed,
  enrolments,
  quotes,
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

/** The figures of a report over a period. */
export async function readReport(
  db: Db,
  actor: StaffActor,
  { report, period, now, page }: { report: Report; period: Period; now: Date; page?: Part },
): Promise<Figures> {
  requirePermission(actor, 'reports:read');
  return report.read(db, actor, period, now, page);
}
