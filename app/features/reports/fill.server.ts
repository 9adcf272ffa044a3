import { sql } from 'kysely';
import { requirePermission } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Report } from './report.ts';

const weeksBefore = [8, 4, 2, 1] as const;
/** The most course dates shown. */
const most = 1000;

/** How many seats were sold some weeks before the first day of each course date, from the times of the seat ledger. */
export const fill: Report = {
  slug: 'fill',
  title: 'Fill of course dates',
  about: 'How many seats of each course date were sold 8, 4, 2 and 1 weeks before its first day.',
  definition: [
    'The course dates whose first day is in the period, without those that were cancelled. Seats sold count sales less cancellations until midnight in Brisbane that many weeks before the first day; “By now” counts all.',
    'A cell stays empty while that day has not come, and where the date was set after it. The page shows the first 1,000 course dates.',
  ],
  async read(db, actor, { from, end }, now) {
    requirePermission(actor, 'reports:read');
    const sold = weeksBefore.map(
      (weeks) => sql`case when first - make_interval(weeks => ${weeks}::integer) between made_at and ${now}::timestamptz
        then coalesce(sum(seats) filter (where at < first - make_interval(weeks => ${weeks}::integer)), 0) end
        as ${sql.id(`before${weeks}`)}`,
    );
    const { rows } = await sql<Row>`
      select title, starts_on as day, capacity, ${sql.join(sold)}, coalesce(sum(seats), 0) as now
      from (
        select id, course_id, starts_on, capacity, made_at, starts_on::timestamp at time zone 'Australia/Brisbane' as first
        from course_dates
        where starts_on >= ${from} and starts_on < ${end} and state <> 'cancelled'
        order by starts_on, id limit ${most}
      ) as one
        join courses on courses.id = one.course_id
        left join seat_movements moved on moved.course_date_id = one.id and moved.kind in ('sale', 'cancellation')
      group by one.id, title, starts_on, capacity, made_at, first
      order by starts_on, one.id`.execute(db);
    return {
      columns: [
        { head: 'First day', kind: 'text' },
        { head: 'Course', kind: 'text' },
        { head: 'Seats', kind: 'count' },
        ...weeksBefore.map(
          (weeks) => ({ head: `${weeks} ${weeks === 1 ? 'week' : 'weeks'} before`, kind: 'count' }) as const,
        ),
        { head: 'By now', kind: 'count' },
        { head: 'Full', kind: 'share' },
      ],
      rows: rows.map(({ title, day, capacity, before8, before4, before2, before1, now }) => [
        ...[day, title, capacity, before8, before4, before2, before1, now],
        capacity > 0 ? now / capacity : null,
      ]),
      charts: [],
      hasSum: false,
    };
  },
};

type Row = {
  title: string;
  day: Day;
  capacity: number;
  now: number;
} & Record<`before${(typeof weeksBefore)[number]}`, number | null>;
