import type { Db } from '#app/db/client.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { addDays, type Day } from '#app/lib/dates.ts';
import { readHeldHours } from './held-hours.server.ts';
import { readBusy, readPlannedOf, readPublicHolidays } from './plan.server.ts';

/**
 * The course dates around some days that the person may see, an instructor their own (P68), the live hours with which
 * they may clash, and the public holidays. A day more on both sides: an instant of one zone is another day in another
 * one.
 */
export async function readCalendar(db: Db, actor: StaffActor, { from, to }: { from: Day; to: Day }) {
  const only = onlyCourseDatesOf(actor);
  const busy = await readBusy(db, { from: addDays(from, -1), to: addDays(to, 1) });
  return {
    busy: busy.filter(({ instructor }) => only === null || only.includes(instructor)),
    hours: await readHeldHours(db, { from: addDays(from, -1), to: addDays(to, 1) }),
    holidays: await readPublicHolidays(db),
  };
}

/** The day from which the calendar shows something: today, or the first day of the next date when that is later. */
export async function readNextDay(db: Db, actor: StaffActor, today: Day): Promise<Day> {
  requirePermission(actor, 'course-dates:read');
  const next = await db
    .selectFrom('course_dates')
    .select(({ fn }) => fn.min('starts_on').as('day'))
    .where('ends_on', '>=', today)
    .where('state', '!=', 'cancelled')
    .executeTakeFirst();
  return next?.day && next.day > today ? next.day : today;
}

/** The course dates that are drawn, of those that `readCalendar` found for the person, by id. */
export async function readDrawn(db: Db, actor: StaffActor, ids: readonly number[]) {
  requirePermission(actor, 'course-dates:read');
  return new Map((await readPlannedOf(db, ids)).map((courseDate) => [courseDate.id, courseDate]));
}
