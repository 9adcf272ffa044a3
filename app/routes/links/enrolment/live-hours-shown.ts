import { isAhead, weeklyInWords } from '#app/features/catalogue/live-hours.ts';
import { nextHour, type OwnHour } from '#app/features/study/own-hours.ts';
import { compareText } from '#app/lib/compare-text.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { formatTime, wallClockAt, zoneAbbreviation } from '#app/lib/wall-clock.ts';

/** The live hours of a place in words (P60). */
export type LiveHoursShown = {
  /** Each weekly hour: when, with whom. */
  weekly: string[];
  /** The next one that is held; null when none is ahead. */
  next: string | null;
  /** The link to it; null until access begins. */
  link: string | null;
  /** Days to come on which it is not held, with the reason. */
  off: string[];
};

const mostOff = 4;

/** Null where no live hour is ahead: then nothing is promised. */
export function liveHoursShown(
  hours: readonly OwnHour[],
  { now, today }: { now: Date; today: Day },
): LiveHoursShown | null {
  const ahead = hours.filter(({ hour }) => isAhead(hour, today));
  if (ahead.length === 0) return null;
  const next = nextHour(ahead, now);
  const off = ahead.flatMap(({ free, occurrences }) =>
    occurrences.flatMap(({ day, off: isOff }) => {
      const reason = free.daysOff.get(day);
      return isOff && reason !== undefined && day >= today ? { day, reason } : [];
    }),
  );
  return {
    weekly: ahead.map(({ hour }) => `${weeklyInWords(hour, today)}, with ${hour.instructor}.`),
    next: next && nextInWords(next.hour.hour.zone, next.at),
    link: next?.hour.link ?? null,
    off: off
      .toSorted((a, b) => compareText(a.day, b.day))
      .slice(0, mostOff)
      .map(({ day, reason }) => `None on ${formatDay(day)}: ${reason}`),
  };
}

/** Whether a calendar may have live hours to come that its owner may not come to any more. */
export const hasHoursToTakeOut = (hours: readonly OwnHour[], now: Date): boolean =>
  hours.some(({ occurrences }) => occurrences.some(({ off, ends }) => off && ends > now));

function nextInWords(zone: string, { day, starts, ends }: { day: Day; starts: Date; ends: Date }): string {
  const [from, to] = [wallClockAt(zone, starts).time, wallClockAt(zone, ends).time];
  return `${formatDay(day)}, ${formatTime(from)} to ${formatTime(to)} ${zoneAbbreviation(zone, day)}`;
}
