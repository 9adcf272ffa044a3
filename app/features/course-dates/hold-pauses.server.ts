import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { LockedCourseDate } from './seats.server.ts';

const minuteMs = 60 * 1000;
/** How long seats of a date may have been held without being bought before that: one hold. */
const enoughMs = 15 * minuteMs;
/** How long seats of a date are not held again once they were held long enough without being bought. */
export const pauseMs = 30 * minuteMs;
/** How long a draft may hold seats of a date in all, extensions included, while few are left. */
export const mostHeldMs = 60 * minuteMs;
/** How long the program remembers the network of a hold that ended; /privacy says the same. */
export const rememberedMs = 2 * 60 * minuteMs;

/** How many seats are few: they stay for others before somebody holds the same date again. */
export const fewSeats = ({ capacity }: Pick<LockedCourseDate, 'capacity'>): number =>
  Math.max(6, Math.ceil(capacity / 4));

/** The holder of seats: a draft, and the hash of the network behind it. */
type Holder = { draftId: number; visitor: string | undefined };

/**
 * Until when a date is not held again for a draft or its network (P27), null when it can be: they held seats of it for
 * a quarter of an hour in all, in one hold or in several, and bought none of them. The course date has to be locked, so
 * that holds that have run out have ended.
 */
export async function pausedUntil(
  trx: Trx,
  { draftId, visitor, courseDateId, at }: Holder & { courseDateId: number; at: Date },
): Promise<Date | null> {
  const ended = await endedHolds(trx, { draftId, visitor, courseDateId, at });
  const heldMs = ended.reduce((sum, hold) => sum + hold.ms, 0);
  const last = Math.max(0, ...ended.map((hold) => hold.endedAt.getTime()));
  const until = new Date(last + pauseMs);
  return heldMs >= enoughMs && until > at ? until : null;
}

/** For how long a draft has held seats of a date so far, in milliseconds; `since` is when its open hold was made. */
export async function heldMsOf(
  trx: Trx,
  { draftId, courseDateId, since, at }: { draftId: number; courseDateId: number; since: Date; at: Date },
): Promise<number> {
  const ended = await endedHolds(trx, { draftId, visitor: undefined, courseDateId, at });
  return ended.reduce((sum, { ms }) => sum + ms, at.getTime() - since.getTime());
}

/** The holds of the last two hours that ended unsold, with how long each was. */
async function endedHolds(
  trx: Trx,
  { draftId, visitor, courseDateId, at }: Holder & { courseDateId: number; at: Date },
) {
  const rows = await trx
    .selectFrom('seat_holds')
    // A hold that ran out is over then, not when that was noticed.
    .select(['made_at', sql<Date>`least(ended_at, expires_at)`.as('ended_at')])
    .where('course_date_id', '=', courseDateId)
    .where('purpose', '=', 'enrolment')
    .where('ended', '<>', 'sold')
    .where('ended_at', '>', new Date(at.getTime() - rememberedMs))
    .where((row) =>
      row.or([row('draft_id', '=', draftId), ...(visitor === undefined ? [] : [row('network', '=', visitor)])]),
    )
    .execute();
  return rows.map(({ made_at, ended_at }) => ({ endedAt: ended_at, ms: ended_at.getTime() - made_at.getTime() }));
}

/** Replaces the stored pauses of a draft: the dates whose seats are not held for it, and until when. */
export async function setPauses(
  trx: Trx,
  draftId: number,
  pauses: readonly { courseDateId: number; until: Date }[],
): Promise<void> {
  await trx.deleteFrom('hold_pauses').where('draft_id', '=', draftId).execute();
  if (pauses.length === 0) return;
  await trx
    .insertInto('hold_pauses')
    .values(pauses.map(({ courseDateId, until }) => ({ draft_id: draftId, course_date_id: courseDateId, until })))
    .execute();
}

/** The pauses of a draft that last at a time, by course date. */
export async function readPauses(db: Db, draftId: number, at: Date): Promise<Map<number, Date>> {
  const rows = await db
    .selectFrom('hold_pauses')
    .select(['course_date_id as courseDateId', 'until'])
    .where('draft_id', '=', draftId)
    .where('until', '>', at)
    .execute();
  return new Map(rows.map(({ courseDateId, until }) => [courseDateId, until]));
}

/** Takes the networks off holds that ended longer ago than they are needed; returns off how many. */
export async function forgetHoldNetworks(db: Db, at: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('seat_holds')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('ended_at', '<', new Date(at.getTime() - rememberedMs))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
