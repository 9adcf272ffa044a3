import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { formatMonth } from '#app/lib/dates.ts';
import { answers } from './answers.server.ts';
import { enrolments, money, waiting } from './by-week.server.ts';
import { fill } from './fill.server.ts';
import { instantsOf, monthsOf, type Period } from './period.ts';
import type { Figures, Report } from './report.ts';
import { searches, steps } from './visits.server.ts';

type Sum = { name: string; places: number; revenue: number };

/** Places and revenue of a period for each course; 0 for no course. */
function byCourse(period: Period): RawBuilder<{ course_id: number; places: number; revenue: number }> {
  const { from, end } = instantsOf(period);
  return sql`
    select course_id, sum(places) as places, sum(revenue) as revenue from (
      select course_id, 1 as places, 0 as revenue from places
        where transferred_from is null and placed_at >= ${from} and placed_at < ${end}
      union all
      select coalesce(place.course_id, 0), 0, line.cents from (
          select issued_on, place_id, amount_cents as cents
            from tax_invoices document join tax_invoice_lines on tax_invoice_id = document.id
          union all
          select issued_on, place_id, -amount_cents
            from adjustment_notes document join adjustment_note_lines on adjustment_note_id = document.id
        ) as line left join places place on place.id = line.place_id
        where issued_on >= ${period.from} and issued_on < ${period.end}
    ) as counted group by course_id`;
}

const columns = (first: string) =>
  [
    { head: first, kind: 'text' },
    { head: 'Places', kind: 'count' },
    { head: 'Revenue, AU$', kind: 'money' },
  ] as const;
const rowOf = ({ name, places, revenue }: Sum) => [name, places, revenue];

const counted = [
  'A place counts on the day on which it was added to its enrolment, also when it was cancelled later; a move is no new place.',
  'Revenue counts by the day of issue: lines of tax invoices less those of adjustment notes, GST included. After a move, revenue stays with the course that was invoiced.',
];

const courses: Report = {
  slug: 'courses',
  title: 'Courses',
  about: 'Places and revenue of each course.',
  definition: [...counted, 'Lines of enrolments whose records were deleted count as “Deleted enrolments”.'],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { rows } = await sql<Sum>`
      select coalesce(title, 'Deleted enrolments') as name, places, revenue
      from (${byCourse(period)}) as one left join courses on courses.id = one.course_id
      order by revenue desc, places desc, name`.execute(db);
    return { columns: columns('Course'), rows: rows.map(rowOf), charts: [], hasSum: true };
  },
};

const tracks: Report = {
  slug: 'tracks',
  title: 'Tracks',
  about: 'Places and revenue of the courses of each track.',
  definition: [...counted, 'A course of several tracks counts in each, so the rows are not to be added up.'],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { rows } = await sql<Sum>`
      select tracks.name, coalesce(sum(places), 0) as places, coalesce(sum(revenue), 0) as revenue
      from tracks left join courses on tracks.slug = any(courses.tracks)
        left join (${byCourse(period)}) as one on one.course_id = courses.id
      where tracks.retired_at is null or places is not null
      group by tracks.slug, tracks.name order by revenue desc, places desc, name`.execute(db);
    return { columns: columns('Track'), rows: rows.map(rowOf), charts: [], hasSum: false };
  },
};

const fromWhere: Report = {
  slug: 'sources',
  title: 'Sources',
  about: 'Where enrolments came from: our pages or staff, private buyers or organisations.',
  definition: [
    'An enrolment counts on the day on which it was placed. “By staff” are those that staff placed for a buyer.',
    'Charged is what those enrolments cost by now: all their tax invoices less all their adjustment notes, GST included, whenever they were issued.',
  ],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const { rows } = await sql<{ name: string; enrolments: number; charged: number }>`
      select source.name, count(enrolment.id) as enrolments, coalesce(sum(list.total_cents), 0) as charged
      from (values (1, false, 'person', 'Our pages, private buyers'), (2, false, 'organisation', 'Our pages, organisations'),
          (3, true, 'person', 'By staff, private buyers'), (4, true, 'organisation', 'By staff, organisations'))
          as source (position, by_staff, payer, name)
        left join enrolments enrolment on (enrolment.placed_by is not null) = source.by_staff
          and enrolment.payer = source.payer and placed_at >= ${from} and placed_at < ${end}
        left join enrolment_list list on list.enrolment_id = enrolment.id
      group by source.position, source.name order by source.position`.execute(db);
    return {
      columns: [
        { head: 'Source', kind: 'text' },
        { head: 'Enrolments', kind: 'count' },
        { head: 'Charged, AU$', kind: 'money' },
      ],
      rows: rows.map(({ name, enrolments, charged }) => [name, enrolments, charged]),
      charts: [],
      hasSum: true,
    };
  },
};

const cancellations: Report = {
  slug: 'cancellations',
  title: 'Cancellations',
  about: 'Places that were cancelled, by whose choice.',
  definition: [
    'A place counts on the day on which it was cancelled. What went back because we cancelled or moved a date counts as the academy’s choice. Places that were moved to another date are not cancelled and are left out.',
  ],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const { rows } = await sql<{ name: string; places: number }>`
      select kinds.name, count(places.id) as places
      from (values (1, 'buyer', 'The buyer'), (2, 'staff', 'Staff'), (3, 'date', 'The academy: it cancelled or moved a date'))
          as kinds(at, why, name)
        left join places on places.cancelled_why = kinds.why and cancelled_at >= ${from} and cancelled_at < ${end}
      group by kinds.at, kinds.name order by kinds.at`.execute(db);
    return {
      columns: [
        { head: 'Whose choice', kind: 'text' },
        { head: 'Places', kind: 'count' },
      ],
      rows: rows.map(({ name, places }) => [name, places]),
      charts: [],
      hasSum: true,
    };
  },
};

const quotes: Report = {
  slug: 'quotes',
  title: 'Quotes',
  about: 'How many quotes were made, sent and accepted, by month.',
  definition: [
    'A quote counts once by its number, however many versions it has: in the month in which the first was made, and in that in which the first was sent.',
    'It counts as accepted in the month of the answer, with the total that it had then, GST included. So more may be accepted in a month than were sent.',
    'Quotes that ended without an enrolment are deleted after the time that /privacy names, and are missing then.',
    'The first and the last month have only the days that lie in the period.',
  ],
  async read(db, actor, period) {
    requirePermission(actor, 'reports:read');
    const { from, end } = instantsOf(period);
    const { rows } = await sql<{ month: string; made: number; sent: number; accepted: number; cents: number }>`
      select to_char(at at time zone 'Australia/Brisbane', 'YYYY-MM') as month, sum(made) as made, sum(sent) as sent,
        sum(accepted) as accepted, sum(cents) as cents
      from (
        select made_at as at, 1 as made, 0 as sent, 0 as accepted, 0 as cents from offers where replaces is null
        union all select sent_at, 0, 1, 0, 0 from offers where version = 1 and sent_at is not null
        union all select ended_at, 0, 0, 1, total_cents from offers where state = 'accepted'
      ) as happened
      where at >= ${from} and at < ${end} group by 1`.execute(db);
    const of = new Map(rows.map((row) => [row.month, row]));
    return {
      columns: [
        { head: 'Month', kind: 'text' },
        { head: 'Made', kind: 'count' },
        { head: 'Sent', kind: 'count' },
        { head: 'Accepted', kind: 'count' },
        { head: 'Accepted, AU$', kind: 'money' },
      ],
      rows: monthsOf(period).map((month) => {
        const { made = 0, sent = 0, accepted = 0, cents = 0 } = of.get(month) ?? {};
        return [formatMonth(month), made, sent, accepted, cents];
      }),
      charts: [3, 4],
      hasSum: true,
    };
  },
};

/** All reports in the order of their list; a further one is added here. */
export const reports: readonly Report[] = [
  money,
  enrolments,
  quotes,
  courses,
  tracks,
  fromWhere,
  steps,
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
  { report, period, now }: { report: Report; period: Period; now: Date },
): Promise<Figures> {
  requirePermission(actor, 'reports:read');
  return report.read(db, actor, period, now);
}
