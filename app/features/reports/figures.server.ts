import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { type Period, weeksOf } from './period.ts';

/** The kinds of figures; triggers write them as the ledger changes (decision 121). */
export type What =
  | 'invoices'
  | 'notes'
  /** Lines of invoices less lines of adjustment notes, by course. */
  | 'revenue'
  | 'places'
  | 'received'
  | 'refunded'
  /** Enrolments and their present charges, by channel. */
  | (typeof sources)[number]
  /** Courses of enrolments from our pages, and how many are paid by now. */
  | 'placed'
  | 'paid';

export const sources = ['pages, private', 'pages, organisations', 'staff, private', 'staff, organisations'] as const;

/** A row of `figuresOf`. `week` is a Monday, `course_id` is 0 for no course. */
type Figure = { what: What; week: Day; course_id: number; items: number; cents: Cents; gst_cents: Cents };

/**
 * The figures of a period, several rows for each, for a query to add up: of its whole weeks, of the days at its two
 * ends, and the entries since the last run of the job.
 */
export function figuresOf(what: readonly What[], period: Period): RawBuilder<Figure> {
  const { from, end } = period;
  const mondays = weeksOf(period);
  const [first, last] = [mondays[0] ?? from, mondays.at(-1) ?? from];
  const whole = {
    from: first < from ? addDays(first, 7) : first,
    end: addDays(last, 7) > end ? last : addDays(last, 7),
  };
  // A period within one week has no whole one; then all of its days are read.
  const weeks = whole.from < whole.end ? whole : { from: end, end };
  const wanted = sql`what = any(${[...what]}::text[])`;
  return sql<Figure>`(
    select what, starts as week, course_id, items, cents, gst_cents from figures
      where ${wanted} and span = 'week' and starts >= ${weeks.from} and starts < ${weeks.end}
    union all
    select what, date_trunc('week', starts)::date, course_id, items, cents, gst_cents from figures
      where ${wanted} and span = 'day' and starts >= ${from} and starts < ${weeks.from}
    union all
    select what, date_trunc('week', starts)::date, course_id, items, cents, gst_cents from figures
      where ${wanted} and span = 'day' and starts >= ${weeks.end} and starts < ${end}
    union all
    select what, date_trunc('week', day)::date, course_id, items, cents, gst_cents from figure_entries
      where ${wanted} and day >= ${from} and day < ${end}
  )`;
}

/** So many entries are added up at once. */
const most = 50_000;

/**
 * Adds new entries to the sums of their day and week. Reports read sums and new entries in one statement, and so does
 * this, so a report counts each entry once at any moment.
 */
export async function addUpFigures(db: Db): Promise<void> {
  await sql`
    with came as (
      delete from figure_entries where id in (select id from figure_entries order by id limit ${most} for update skip locked)
      returning *
    )
    insert into figures (what, span, starts, course_id, items, cents, gst_cents)
    select what, span, case span when 'day' then day else date_trunc('week', day)::date end as starts, course_id,
      sum(items), sum(cents), sum(gst_cents)
    from came cross join (values ('day'), ('week')) as spans (span)
    group by what, span, 3, course_id order by what, span, 3, course_id
    on conflict (what, span, starts, course_id) do update set items = figures.items + excluded.items,
      cents = figures.cents + excluded.cents, gst_cents = figures.gst_cents + excluded.gst_cents`.execute(db);
}
