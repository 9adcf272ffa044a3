import type { Db } from '#app/db/client.server.ts';
import { holidaysIn, occurrencesOf } from '#app/features/catalogue/live-hours.ts';
import { readHeldHours } from '#app/features/course-dates/held-hours.server.ts';
import { isTaughtDuring, overlap } from '#app/features/course-dates/held-hours.ts';
import { type InTheWay, inTheWayAs, readPlanned, readPublicHolidays } from '#app/features/course-dates/plan.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { addDays } from '#app/lib/dates.ts';
import type { HourWish } from './live-hours.server.ts';

/**
 * The course dates and other live hours that its instructor has at the time of a live hour that was just set (P77), each
 * once, in the order of days.
 */
export async function readClashesOfHour(db: Db, wish: HourWish & { id: number }, actor: Actor): Promise<InTheWay[]> {
  requirePermission(actor, 'course-dates:change');
  const free = { holidays: holidaysIn(wish.zone, await readPublicHolidays(db)), daysOff: new Map() };
  const hour = { ...wish, endedFrom: null };
  const wished = occurrencesOf(hour, free, { from: wish.firstOn, to: wish.lastOn }).filter(({ off }) => !off);
  const around = { from: addDays(wish.firstOn, -1), to: addDays(wish.lastOn, 1) };
  const courseDates = (await readPlanned(db, around))
    .filter((courseDate) => courseDate.instructor === wish.instructor)
    .filter((courseDate) => wished.some((one) => isTaughtDuring(courseDate, one)))
    .map(({ slug, title, startDate, endDate }): InTheWay => {
      return { slug, liveHour: null, title, startDate, endDate, clashes: ['instructor'] };
    });
  const held = (await readHeldHours(db, around))
    .filter(({ id, instructor }) => id !== wish.id && instructor === wish.instructor)
    .filter((one) => wished.some((other) => overlap(one, other)));
  const series = Map.groupBy(held, ({ id }) => id).values();
  const hours = [...series].flatMap(([first]) => (first ? [inTheWayAs(first)] : []));
  return [...courseDates, ...hours].toSorted((a, b) => compareText(a.startDate, b.startDate));
}
