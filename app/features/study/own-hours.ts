import type { FreeDays, LiveHour, Occurrence } from '#app/features/catalogue/live-hours.ts';

/** A live hour with the details that only its attendees and staff see. */
export type PlannedHour = {
  hour: LiveHour;
  courseId: number;
  link: string;
  calendarId: string;
  /** Rises with each change by staff, also of public holidays; and when it last rose. */
  sequence: number;
  changedAt: Date;
  free: FreeDays;
};

/**
 * The live hours that a person may come to; `off` are cancelled ones. `link` is null until the access of the place
 * begins, and when it is over.
 */
export type OwnHour = Omit<PlannedHour, 'link'> & { link: string | null; occurrences: Occurrence[] };

/** The next of these hours that is held and not over; null when there is none. */
export function nextHour(hours: readonly OwnHour[], now: Date): { hour: OwnHour; at: Occurrence } | null {
  const ahead = hours.flatMap((hour) => {
    const at = hour.occurrences.find(({ ends, off }) => !off && ends > now);
    return at ? [{ hour, at }] : [];
  });
  return ahead.sort((a, b) => a.at.starts.getTime() - b.at.starts.getTime())[0] ?? null;
}
