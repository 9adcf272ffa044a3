import { href } from 'react-router';
import { mapOf } from '#app/features/course-dates/joining-details.ts';
import { type Attending, attendingOf } from '#app/features/course-dates/rules.ts';
import type { Attended } from '#app/features/enrolments/account.server.ts';
import { courseDateWhere } from '#app/features/enrolments/words.ts';
import { nextHour, type OwnHour } from '#app/features/study/own-hours.ts';
import { addDays, type Day, dayIn, daysBetween } from '#app/lib/dates.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { formatTime, instantOf, wallClockAt, zoneAbbreviation } from '#app/lib/wall-clock.ts';

/** The next class or step of the player (P56). */
export type NextClass = {
  /** `Today`, `Tomorrow`, `In 5 days`. */
  soon: string;
  /** `Tue 16 Feb, 9:00 AM AEST` */
  when: string;
  /** `SOC Analyst Hands-On, day 6 of 12` */
  what: string;
  where: string;
  until: string;
  /** The first thing to bring to a classroom; null online, and where nobody wrote it yet. */
  bring: string | null;
  /** The live class, from a quarter of an hour before it. */
  join: string | null;
  /** A map of the street; null online, and where nobody wrote it yet. */
  map: string | null;
  /** The page on which the player says that they can't come; null for a live hour, which is optional. */
  cannotCome: string | null;
  calendar: string;
  page: string;
};

/** How long before the beginning one can join. */
const joinFromMs = 15 * 60_000;

type AsOf = {
  now: Date;
  texts: Attending | null;
  /** Live hours of guided places (P60), by place. */
  hours?: ReadonlyMap<number, readonly OwnHour[]>;
};

/** The next day of class or live hour that is not over; null when none is ahead. */
export function nextClass(attended: readonly Attended[], asOf: AsOf): NextClass | null {
  const days = [...daysOfClass(attended, asOf), ...liveHours(attended, asOf)];
  return days.sort((a, b) => a.starts.getTime() - b.starts.getTime())[0]?.next() ?? null;
}

/** The first thing to bring, such as "A laptop with its charger"; the page of the place lists all. */
const inShort = (bring: string | undefined): string | null => bring?.split(/[;.](?:\s|$)/)[0] ?? null;

type Ahead = { starts: Date; next: () => NextClass };

function daysOfClass(attended: readonly Attended[], { now, texts }: AsOf): Ahead[] {
  return attended.flatMap(({ place, token }) => {
    if (place.way !== 'date' || place.state !== 'active' || place.courseDate.state === 'cancelled') return [];
    const { courseDate } = place;
    const { startsOn, endsOn, startsAt, endsAt, zone, joiningLink } = courseDate;
    const count = daysBetween(startsOn, endsOn) + 1;
    const all = Array.from({ length: count }, (_, at) => addDays(startsOn, at));
    const at = all.findIndex((day) => instantOf(day, endsAt, zone) > now);
    const day = all[at];
    if (day === undefined) return [];
    const starts = instantOf(day, startsAt, zone);
    const next = (): NextClass => {
      const bring =
        courseDate.delivery === 'online'
          ? []
          : [...new Set(attendingOf(courseDate, texts).flatMap((way) => way.bring))];
      return {
        soon: soonOf(dayIn(zone, now), day),
        when: `${shortDay(day)}, ${formatTime(startsAt)} ${zoneAbbreviation(zone, day)}`,
        what: count === 1 ? place.courseTitle : `${place.courseTitle}, day ${at + 1} of ${count}`,
        where: courseDateWhere(courseDate),
        until: `${formatTime(endsAt)} ${zoneAbbreviation(zone, day)}`,
        bring: inShort(bring[0]),
        join: joiningLink !== null && isSoon(starts, now) ? joiningLink : null,
        map: mapOf(courseDate),
        cannotCome: href('/place/:token/:placeId/cannot-come', { token, placeId: String(place.id) }),
        ...pagesOf(token, place.id),
      };
    };
    return { starts, next };
  });
}

function liveHours(attended: readonly Attended[], { now, hours }: AsOf): Ahead[] {
  return attended.flatMap(({ place, token }) => {
    const found = nextHour(hours?.get(place.id) ?? [], now);
    if (!found) return [];
    const { day, starts, ends } = found.at;
    const { zone } = found.hour.hour;
    const next = (): NextClass => ({
      soon: soonOf(dayIn(zone, now), day),
      when: `${shortDay(day)}, ${formatTime(wallClockAt(zone, starts).time)} ${zoneAbbreviation(zone, day)}`,
      what: `${place.courseTitle}, live hour`,
      where: 'Online',
      until: `${formatTime(wallClockAt(zone, ends).time)} ${zoneAbbreviation(zone, day)}`,
      bring: null,
      join: isSoon(starts, now) ? found.hour.link : null,
      map: null,
      cannotCome: null,
      ...pagesOf(token, place.id),
    });
    return { starts, next };
  });
}

const isSoon = (starts: Date, now: Date): boolean => starts.getTime() - now.getTime() <= joinFromMs;

const pagesOf = (token: string, placeId: number) => ({
  calendar: href('/place/:token/:placeId/calendar.ics', { token, placeId: String(placeId) }),
  page: href('/place/:token', { token }),
});

function soonOf(today: Day, day: Day): string {
  const ahead = daysBetween(today, day);
  return ahead <= 0 ? 'Today' : ahead === 1 ? 'Tomorrow' : `In ${ahead} days`;
}
