import { href } from 'react-router';
import { sessionWhere } from '#app/features/enrolments/words.ts';
import { type Attending, attendingOf } from '#app/features/sessions/attending.ts';
import { addDays, type Day, dayIn, daysBetween } from '#app/lib/dates.ts';
import { shortDay } from '#app/lib/short-dates.ts';
import { formatTime, instantOf, zoneAbbreviation } from '#app/lib/wall-clock.ts';
import type { Attended } from './account-page.server.ts';

/** The one thing that comes next (P56). */
export type NextClass = {
  /** `Today`, `Tomorrow`, `In 5 days`. */
  soon: string;
  /** `Tue 16 Feb, 9:00 AM` */
  when: string;
  /** `SOC Analyst Hands-On, day 6 of 12` */
  what: string;
  where: string;
  until: string;
  /** For a classroom; null online, and where nobody wrote it yet. */
  bring: string | null;
  /** The live class, from a quarter of an hour before it. */
  join: string | null;
  calendar: string;
  page: string;
};

/** How long before the beginning one can join. */
const joinFromMs = 15 * 60_000;

/** The next day of class that is not over; null when no date is ahead. */
export function nextClass(attended: readonly Attended[], { now, texts }: { now: Date; texts: Attending | null }) {
  const days = attended.flatMap((one) => {
    const { place } = one;
    if (place.way !== 'session' || place.state !== 'active' || place.session.state === 'cancelled') return [];
    const { startsOn, endsOn, startsAt, endsAt, zone } = place.session;
    const count = daysBetween(startsOn, endsOn) + 1;
    const all = Array.from({ length: count }, (_, at) => addDays(startsOn, at));
    const at = all.findIndex((day) => instantOf(day, endsAt, zone) > now);
    const day = all[at];
    if (day === undefined) return [];
    return [{ ...one, session: place.session, day, number: at + 1, count, starts: instantOf(day, startsAt, zone) }];
  });
  const [next] = days.sort((a, b) => a.starts.getTime() - b.starts.getTime());
  if (!next) return null;
  const { session, day, number, count, starts, place, token } = next;
  const { startsAt, endsAt, zone, joiningLink } = session;
  const bring =
    session.delivery === 'online' ? [] : [...new Set(attendingOf(session, texts).flatMap((way) => way.bring))];
  const params = { token, placeId: String(place.id) };
  return {
    soon: soonOf(dayIn(zone, now), day),
    when: `${shortDay(day)}, ${formatTime(startsAt)}`,
    what: count === 1 ? place.courseTitle : `${place.courseTitle}, day ${number} of ${count}`,
    where: sessionWhere(session),
    until: `${formatTime(endsAt)} ${zoneAbbreviation(zone, day)}`,
    bring: bring.length > 0 ? bring.join(' ') : null,
    join: joiningLink !== null && starts.getTime() - now.getTime() <= joinFromMs ? joiningLink : null,
    calendar: href('/place/:token/:placeId/calendar.ics', params),
    page: href('/place/:token', { token }),
  } satisfies NextClass;
}

function soonOf(today: Day, day: Day): string {
  const ahead = daysBetween(today, day);
  return ahead <= 0 ? 'Today' : ahead === 1 ? 'Tomorrow' : `In ${ahead} days`;
}
