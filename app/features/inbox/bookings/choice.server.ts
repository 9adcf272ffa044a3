import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import type { BookingSettings } from '#app/features/catalogue/site/site.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { Day } from '#app/lib/dates.ts';
import type { BookingKind } from './kinds.ts';
import { readTakenAhead } from './queries.server.ts';
import { bookableDays, freeStartsOn } from './rules.ts';
import { parseStart } from './schema.ts';

/** The days one can choose from with the number of their free times, the day chosen, and its times as ISO instants. */
export type TimeChoice = { days: { day: Day; free: number }[]; date: Day | null; times: string[] };

/**
 * The free times of a kind as of now. The day is the one asked for when it can be chosen, otherwise the first that has
 * a free time, null when none has. The booking `except` does not count as taken. Null while the database is away.
 */
export async function readTimeChoice(
  db: Db,
  kind: BookingKind,
  {
    settings,
    now,
    date,
    except,
  }: { settings: BookingSettings; now: Date; date: string | null | undefined; except?: number },
): Promise<TimeChoice | null> {
  try {
    const taken = await readTakenAhead(db, now, except);
    const days = bookableDays(now).map((day) => ({ day, starts: freeStartsOn(day, kind, settings, { taken, now }) }));
    const chosen = days.find(({ day }) => day === date) ?? days.find(({ starts }) => starts.length > 0);
    return {
      days: days.map(({ day, starts }) => ({ day, free: starts.length })),
      date: chosen?.day ?? null,
      times: chosen?.starts.map((start) => start.toISOString()) ?? [],
    };
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    return null;
  }
}

/** The same for staff who book for a caller. */
export function readTimesForStaff(
  db: Db,
  actor: StaffActor,
  kind: BookingKind,
  at: Parameters<typeof readTimeChoice>[2],
): Promise<TimeChoice | null> {
  requirePermission(actor, 'bookings:change');
  return readTimeChoice(db, kind, at);
}

/** The day in Brisbane of an instant from a form; undefined when the text is none. */
export function dayOfStart(text: string | undefined): Day | undefined {
  const start = parseStart(text ?? '');
  return start ? academyDay(start) : undefined;
}
