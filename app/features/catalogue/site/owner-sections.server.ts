import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Turn } from '#app/lib/at-most.ts';
import { addDays, type Day, daysBetween, formatDays } from '#app/lib/dates.ts';
import { readLookAgain, readOpening } from './opening.server.ts';
import type { OpeningSettings } from './opening.ts';

/** From how many days before the last date of the calendar on staff are told that it is the last. */
const warnedDays = 90;
/** A date after more days than this does not make a calendar: it may be a slip. */
const calendarDays = 2 * warnedDays;

/** The owner's tasks before the opening, and texts to look at again; empty for everybody else. */
export async function readOwnerSections(
  db: Db,
  { actor, settings, today, turn }: { actor: StaffActor; settings: OpeningSettings; today: Day; turn: Turn },
) {
  requirePermission(actor, 'todo:read');
  const [opening, again, site] = await Promise.all([
    actor.can.has('staff:grant') ? turn(() => readOpening(db, settings, today)) : [],
    actor.can.has('course-dates:read-all') ? turn(() => readLookAgain(db, today)) : [],
    turn(() => db.selectFrom('content_records').select('id').where('kind', '=', 'site').executeTakeFirst()),
  ]);
  return { opening, again, siteId: String(site?.id ?? '') };
}

/** The task for staff when the calendar of the next half year has no date after its first 90 days, or none at all. */
export async function datesTodo(
  db: Db,
  actor: StaffActor,
  today: Day,
): Promise<{ count: number; what: string; why: string; to: string }[]> {
  if (!actor.can.has('course-dates:read-all')) return [];
  const { rows } = await sql<{ last: Day | null }>`
    select max(starts_on)::text as last from course_dates
    where starts_on between ${today} and ${addDays(today, calendarDays)} and state <> 'cancelled'`.execute(db);
  const last = rows[0]?.last ?? null;
  const to = href('/staff/course-dates');
  const add = actor.can.has('course-dates:change') ? ' Add new course dates.' : '';
  if (last === null) {
    const why = `No course date begins in the next half year.${add}`;
    return [{ count: 0, what: 'No dates to come', why, to }];
  }
  const count = daysBetween(today, last);
  if (count > warnedDays) return [];
  const why = `After the course date on ${formatDays(last, last)} the calendar is empty.${add}`;
  return [{ count, what: count === 1 ? 'Day until the last date' : 'Days until the last date', why, to }];
}
