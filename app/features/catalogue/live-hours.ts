import { addDays, type Day, daysBetween, formatDay, weekdayOf } from '#app/lib/dates.ts';
import { formatTime, instantOf, wallClockAt, zoneOfDays } from '#app/lib/wall-clock.ts';

/**
 * The weekly live hour of a course (P60), as everybody may read it: the link is not here. Times are wall-clock in
 * `zone`.
 */
export type LiveHour = {
  id: number;
  instructor: string;
  startsAt: string;
  minutes: number;
  zone: string;
  /** Its weekday is that of every hour. */
  firstOn: Day;
  lastOn: Day;
  /** The day from which no hour is held any more; null while the series has no end. */
  endedFrom: Day | null;
};

/** Days without an hour: public holidays of its zone, and days that staff named. */
export type FreeDays = { holidays: ReadonlySet<Day>; daysOff: ReadonlyMap<Day, string> };

/** One live hour; `off`: it was planned and is cancelled. */
export type Occurrence = { day: Day; starts: Date; ends: Date; off: boolean };

/**
 * The live hours from `from` to `to`, both included. One on a public holiday, on a day that staff named, or after they
 * ended the series is `off`: a holiday can be declared after the plan was made, so calendars have to take that out too.
 */
export function occurrencesOf(
  { startsAt, minutes, zone, firstOn, lastOn, endedFrom }: LiveHour,
  { holidays, daysOff }: FreeDays,
  { from, to }: { from: Day; to: Day },
): Occurrence[] {
  const found: Occurrence[] = [];
  for (let day = firstOn; day <= lastOn && day <= to; day = addDays(day, 7)) {
    if (day < from) continue;
    const starts = instantOf(day, startsAt, zone);
    const ends = new Date(starts.getTime() + minutes * 60_000);
    const isEnded = endedFrom !== null && day >= endedFrom;
    found.push({ day, starts, ends, off: isEnded || holidays.has(day) || daysOff.has(day) });
  }
  return found;
}

/** The last day with a planned hour; a day before `firstOn` when there is none. */
export function lastPlanned({ firstOn, lastOn, endedFrom }: Pick<LiveHour, 'firstOn' | 'lastOn' | 'endedFrom'>): Day {
  const end = endedFrom !== null && endedFrom <= lastOn ? addDays(endedFrom, -1) : lastOn;
  return addDays(firstOn, Math.floor(daysBetween(firstOn, end) / 7) * 7);
}

/** Whether a live hour is held on this day or a later one, by its plan. */
export const isAhead = (hour: Pick<LiveHour, 'firstOn' | 'lastOn' | 'endedFrom'>, today: Day): boolean =>
  lastPlanned(hour) >= today && lastPlanned(hour) >= hour.firstOn;

/**
 * `Tuesdays, 6:00 PM to 7:00 PM AEST, until 24 November 2026`. When summer time begins or ends between those to come,
 * no abbreviation is true of all: then `Melbourne time`.
 */
export function weeklyInWords(hour: LiveHour, today: Day): string {
  const { startsAt, zone, firstOn } = hour;
  const day = firstOn > today ? firstOn : today;
  const from = firstOn > today ? ` from ${formatDay(firstOn)}` : '';
  const last = lastPlanned(hour);
  const days = [last];
  for (let one = last; one >= day; one = addDays(one, -7)) days.push(one);
  return `${weekdayOf(firstOn)}s${from}, ${formatTime(startsAt)} to ${formatTime(endTime(hour))} ${zoneOfDays(zone, days)}, until ${formatDay(last)}`;
}

/** The wall-clock time at which it ends. */
function endTime({ startsAt, minutes, zone, firstOn }: LiveHour): string {
  return wallClockAt(zone, new Date(instantOf(firstOn, startsAt, zone).getTime() + minutes * 60_000)).time;
}

const states = {
  'Australia/Brisbane': 'QLD',
  'Australia/Sydney': 'NSW',
  'Australia/Melbourne': 'VIC',
} as const;
export type LiveHourZone = keyof typeof states;

/** The public holidays that a live hour in a zone keeps (P60): those of the zone's state. */
export function holidaysIn(
  zone: string,
  holidays: readonly { states: readonly string[]; days: readonly Day[] }[],
): ReadonlySet<Day> {
  const state = states[zone as LiveHourZone] ?? 'QLD';
  return new Set(holidays.filter((one) => one.states.includes(state)).flatMap(({ days }) => days));
}
