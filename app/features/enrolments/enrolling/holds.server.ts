import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import {
  type HoldRefusal,
  mostExtensions,
  type OpenHold,
  readOpenHolds,
  seatsHeldBy,
  setDraftHolds,
} from '#app/features/course-dates/draft-holds.server.ts';
import { readPauses } from '#app/features/course-dates/hold-pauses.server.ts';
import { seatsLeft } from '#app/features/course-dates/seat-counts.server.ts';
import type { Day } from '#app/lib/dates.ts';

/** Seats held at once for one network address while forms are filled in (P27). */
export const mostHeld = 12;

type WantedSeats = { courseDateId: number; seats: number };

export type NotHeld =
  | { ok: false; reason: 'refused'; refused: HoldRefusal[] }
  | { ok: false; reason: 'too-many-held' }
  | { ok: false; reason: 'meanwhile' };

/**
 * Replaces the seats held for a draft by those it wants, at most twelve for one visitor. `visitor` is a hash of the
 * network address. A refusal keeps the earlier holds; a pause (`setDraftHolds`) is no refusal. `today` is the academy's
 * day.
 */
export async function holdForDraft(
  trx: Trx,
  draftId: number,
  { wanted, visitor, at, today }: { wanted: readonly WantedSeats[]; visitor: string; at: Date; today: Day },
): Promise<{ ok: true } | NotHeld> {
  // Requests of one visitor take turns. This lock comes before the course dates' locks: nothing that holds those waits
  // for it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`held seats ${visitor}`}, 0))`.execute(trx);
  const asked = wanted.reduce((sum, { seats }) => sum + seats, 0);
  if (asked > 0 && asked + (await seatsHeldBy(trx, visitor, at, draftId)) > mostHeld) {
    return { ok: false, reason: 'too-many-held' };
  }
  const held = await setDraftHolds(trx, { draftId, wanted, visitor, at, today });
  return held.ok ? { ok: true } : held;
}

/** The dates that have fewer seats left than are wanted, read without a lock: whoever asks for one needs no turn to hear it. */
export async function findFull(db: Db, wanted: readonly WantedSeats[], at: Date): Promise<NotHeld | null> {
  if (wanted.length === 0) return null;
  const ids = wanted.map(({ courseDateId }) => courseDateId);
  const rows = await db
    .selectFrom('course_dates')
    .select(['id', seatsLeft])
    .select(
      sql<number>`(select coalesce(sum(seats), 0)::integer from seat_holds
      where course_date_id = course_dates.id and ended_at is null and expires_at <= ${at})`.as('ended'),
    )
    .where('id', 'in', ids)
    .execute();
  const refused = wanted.flatMap(({ courseDateId, seats }): HoldRefusal[] => {
    const row = rows.find(({ id }) => id === courseDateId);
    const left = (row?.left ?? 0) + (row?.ended ?? 0);
    return left < seats ? [{ courseDateId, reason: 'course-date-full', left: Math.max(0, left) }] : [];
  });
  return refused.length > 0 ? { ok: false, reason: 'refused', refused } : null;
}

/** Whether the seats a draft wants are held for it, and until when. */
export type HoldState =
  | { state: 'none' }
  | { state: 'held'; until: Date; leftMs: number; extensionsLeft: number; offered: boolean }
  /** With `again` they are not held at the moment, but can be from then on; one can go on without. */
  | { state: 'over'; again: Date | null };

/**
 * How it stands with the seats a draft wants at `at`; `none` when it wants no seat of a date. `open` are
 * its holds that are open then.
 */
export async function readHoldState(
  db: Db,
  { draftId, open }: { draftId: number; open: readonly OpenHold[] },
  wanted: readonly WantedSeats[],
  at: Date,
): Promise<HoldState> {
  if (wanted.length === 0) return { state: 'none' };
  const [first] = open;
  const all = wanted.every(({ courseDateId, seats }) =>
    open.some(
      (hold) => hold.courseDateId === courseDateId && (hold.offered ? hold.seats >= seats : hold.seats === seats),
    ),
  );
  const pauses = await readPauses(db, draftId, at);
  const again = wanted.flatMap(({ courseDateId }) => pauses.get(courseDateId) ?? []);
  if (!first || !all) {
    return { state: 'over', again: again.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null };
  }
  // An offer from a waiting list has its own end (P48).
  const { expiresAt: until, offered, extended } = first;
  const leftMs = until.getTime() - at.getTime();
  const extensionsLeft = offered || again.length > 0 ? 0 : mostExtensions - extended;
  return { state: 'held', until, leftMs, extensionsLeft, offered };
}

/** Seats held for a draft at `at`, by course date. */
export async function readOwnSeats(db: Db, draftId: number, at: Date): Promise<Map<number, number>> {
  return ownSeats(await readOpenHolds(db, draftId, at));
}

/** Seats of holds, by course date. */
export const ownSeats = (open: readonly OpenHold[]): Map<number, number> =>
  new Map(open.map(({ courseDateId, seats }) => [courseDateId, seats]));
