import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { takesEnrolmentsOn } from '#app/features/course-dates/seat-counts.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';

/** How far ahead a course that sells needs a date, and how far back a sale counts. */
const aheadDays = 90;
const soldWithinDays = 365;

/**
 * Courses that sell, or for whose next date somebody waits, and that have no date in the next 90 days that still takes
 * enrolments (P77); those most asked for first. `waiting` are seats asked for and places paid for the next date; `sells`
 * says that a place of the last year was not cancelled.
 */
export async function coursesWithoutDates(
  db: Db,
  actor: StaffActor,
  today: Day,
): Promise<{ slug: string; title: string; sells: boolean; waiting: number; nextDate: Day | null }[]> {
  requirePermission(actor, 'course-dates:read-all');
  const since = instantOf(addDays(today, -soldWithinDays), '00:00', academyZone);
  const { rows } = await sql<{
    slug: string;
    title: string;
    sells: boolean;
    waiting: number;
    nextDate: Day | null;
  }>`
    with asked as (
      select course_id, sum(seats)::integer as waiting
      from (
        select course_id, seats from waiting_entries
          where closed_at is null and course_date_id is null and enrolment_id is null and confirmed_at is not null
        union all
        select course_id, 1 from places where way = 'next-date' and state = 'active') entries
      group by course_id),
    without as materialized (
      select courses.id, slug, title, next.starts_on as next_date from courses
        left join lateral (
          select starts_on from course_dates course_date
          where course_date.course_id = courses.id and ${takesEnrolmentsOn(today, 'course_date')}
          order by starts_on limit 1) as next on true
      where courses.retired_at is null
        and (next.starts_on is null or next.starts_on > ${addDays(today, aheadDays)}))
    select slug, title, sells, coalesce(waiting, 0) as waiting, next_date as "nextDate"
    from without
      left join asked on asked.course_id = without.id
      cross join lateral (
        select exists (
          select from places where course_id = without.id and state <> 'cancelled' and placed_at >= ${since}) as sells
      ) sold
    where sells or waiting > 0
    order by coalesce(waiting, 0) desc, title`.execute(db);
  return rows;
}
