import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { minuteMs } from '#app/lib/durations.ts';
import { takesEnrolments } from './rules.ts';
import { endHold, holdSeats, type LockedCourseDate, lockCourseDates } from './seats.server.ts';

/** How long seats are held for somebody who fills in the form, and how often that can be extended (P27). */
export const holdMs = 15 * minuteMs;
export const mostExtensions = 10;

/** A hold that has neither ended nor run out. */
export type OpenHold = {
  id: number;
  courseDateId: number;
  seats: number;
  madeAt: Date;
  expiresAt: Date;
  extended: number;
  /** An offer from a waiting list: a buyer may take fewer seats of it, and it keeps its own time (P48). */
  offered: boolean;
};

/** The holds of a draft that are open at a time, by course date. */
export async function readOpenHolds(db: Db, draftId: number, at: Date): Promise<OpenHold[]> {
  const rows = await db
    .selectFrom('seat_holds')
    .select(['id', 'course_date_id as courseDateId', 'seats', 'expires_at as expiresAt', 'extended'])
    .select('made_at as madeAt')
    .select((row) => row('purpose', '=', 'waiting-offer').$castTo<boolean>().as('offered'))
    .where('draft_id', '=', draftId)
    .where('purpose', 'in', ['enrolment', 'waiting-offer'])
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('course_date_id')
    .$narrowType<{ expiresAt: Date }>()
    .execute();
  return rows;
}

/** Those of some holds of quotes that are open at a time. */
export function readQuoteHolds(
  db: Db,
  holdIds: readonly number[],
  at: Date,
): Promise<Pick<OpenHold, 'id' | 'courseDateId' | 'seats'>[]> {
  return db
    .selectFrom('seat_holds')
    .select(['id', 'course_date_id as courseDateId', 'seats'])
    .where('id', 'in', [0, ...holdIds])
    .where('purpose', '=', 'quote')
    .where('ended_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', at)]))
    .execute();
}

/**
 * How many seats a visitor holds at a time while filling in forms, to cap them before `setDraftHolds`; the seats
 * of `exceptDraft`, which that call replaces, are not counted. `visitor` is the hash given with the holds. Seats held for
 * quotes are counted apart (`seatsQuotedTo`): nobody on the same network is kept from enrolling by them.
 */
export async function seatsHeldBy(db: Db, visitor: string, at: Date, exceptDraft?: number): Promise<number> {
  const { seats } = await db
    .selectFrom('seat_holds')
    .select(sql<number>`coalesce(sum(seats), 0)::integer`.as('seats'))
    .where('visitor', '=', visitor)
    .where('purpose', '<>', 'quote')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .$if(exceptDraft !== undefined, (query) =>
      query.where((eb) => eb('draft_id', 'is distinct from', exceptDraft ?? null)),
    )
    .executeTakeFirstOrThrow();
  return seats;
}

/** How many seats are held for quotes that were asked for from one network (P111). */
export async function seatsQuotedTo(db: Db, visitor: string, at: Date): Promise<number> {
  const { seats } = await db
    .selectFrom('seat_holds')
    .select(sql<number>`coalesce(sum(seats), 0)::integer`.as('seats'))
    .where('visitor', '=', visitor)
    .where('purpose', '=', 'quote')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return seats;
}

/**
 * How many seats of a course date are held at a time while people fill in forms: they come back within minutes unless
 * they are bought, unlike seats that are sold or offered to a waiting list.
 */
export async function seatsHeldByForms(db: Db, courseDateId: number, at: Date): Promise<number> {
  const { seats } = await db
    .selectFrom('seat_holds')
    .select(sql<number>`coalesce(sum(seats), 0)::integer`.as('seats'))
    .where('course_date_id', '=', courseDateId)
    .where('purpose', '=', 'enrolment')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return seats;
}

/** Seats from 1 on, each course date once. */
export type HoldWish = { courseDateId: number; seats: number };
/** Until when the draft cannot hold seats of a course date. */
export type HoldPause = { courseDateId: number; until: Date };
/** `left` includes the seats that the draft holds itself. */
export type HoldRefusal = { courseDateId: number; reason: 'closed' | 'course-date-full'; left: number };

/**
 * Changes the holds of a draft to those wanted: first holds, another number of seats, another date, or none. If one
 * cannot be had, the draft keeps all its present holds. Seats that stay held keep their time, and new ones beside them
 * get the same; otherwise they are held for 15 minutes from `at`. `today` is the academy's day. If few seats would be
 * left, and the draft or its network held seats of the date without buying, the draft cannot hold them again for a
 * while: `pauses` has these dates and times, and the buyer can go on without seats. Locks the course dates.
 */
export async function setDraftHolds(
  trx: Trx,
  { draftId, wanted, visitor, at, today }: Draft & { wanted: readonly HoldWish[]; visitor?: string; today: Day },
): Promise<
  | { ok: true; expiresAt: Date | null; pauses: HoldPause[] }
  | { ok: false; reason: 'refused'; refused: HoldRefusal[] }
  /** Another request of the same draft chose other course dates at this moment; nothing is written. Try again. */
  | { ok: false; reason: 'meanwhile' }
> {
  const { courseDates, holds: before, others } = await lockHolds(trx, { draftId, at }, wanted);
  if (others) return { ok: false, reason: 'meanwhile' };
  const heldIn = (courseDateId: number) => before.find((hold) => hold.courseDateId === courseDateId);
  const keeps = (hold: OpenHold | undefined, seats: number) =>
    hold !== undefined && (hold.offered ? seats <= hold.seats : seats === hold.seats);

  const refused = wanted.flatMap(({ courseDateId, seats }): HoldRefusal[] => {
    const courseDate = courseDates.get(courseDateId);
    const held = heldIn(courseDateId);
    // An offer is not enlarged: the waiting list offered only so many seats.
    const left = (held?.offered ? 0 : (courseDate?.left ?? 0)) + (held?.seats ?? 0);
    if (!courseDate || !isOpen(courseDate, today)) return [{ courseDateId, reason: 'closed', left }];
    return seats > left ? [{ courseDateId, reason: 'course-date-full', left }] : [];
  });
  if (refused.length > 0) return { ok: false, reason: 'refused', refused };

  const pauses: HoldPause[] = [];
  for (const { courseDateId, seats } of wanted) {
    const courseDate = courseDates.get(courseDateId);
    // A present hold only changes.
    if (!courseDate || heldIn(courseDateId) || courseDate.left - seats >= fewSeats(courseDate)) continue;
    const until = await pausedUntil(trx, { draftId, visitor, courseDateId, at });
    if (until) pauses.push({ courseDateId, until });
  }
  await setPauses(trx, draftId, pauses);
  const isPaused = (courseDateId: number) => pauses.some((pause) => pause.courseDateId === courseDateId);

  const own = before.filter(({ offered }) => !offered);
  const expiresAt = own[0]?.expiresAt ?? new Date(at.getTime() + holdMs);
  const extended = own[0]?.extended ?? 0;
  for (const hold of own) {
    const courseDate = courseDates.get(hold.courseDateId);
    const same = wanted.some(({ courseDateId, seats }) => courseDateId === hold.courseDateId && keeps(hold, seats));
    if (courseDate && !same) await endHold(trx, courseDate, hold.id, 'released', at);
  }
  for (const { courseDateId, seats } of wanted) {
    const courseDate = courseDates.get(courseDateId);
    if (!courseDate || isPaused(courseDateId) || keeps(heldIn(courseDateId), seats)) continue;
    const hold = { courseDate, seats, purpose: 'enrolment', draftId, at, expiresAt, extended } as const;
    const held = await holdSeats(trx, visitor === undefined ? hold : { ...hold, visitor });
    if (!held.ok) throw new Error(`${seats} seats of locked course date ${courseDateId} were counted as free`);
  }
  const until = wanted.flatMap(({ courseDateId }) => {
    const held = heldIn(courseDateId);
    return isPaused(courseDateId) ? [] : [held?.offered ? held.expiresAt : expiresAt];
  });
  return { ok: true, expiresAt: until.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null, pauses };
}

/**
 * Holds the draft's seats for 15 minutes from `at`. Refused when no hold is open, after ten times, and while few seats
 * are left if the draft would hold them for more than an hour in all.
 */
export async function extendDraftHolds(
  trx: Trx,
  { draftId, at }: Draft,
): Promise<
  { ok: true; expiresAt: Date; extended: number } | { ok: false; reason: 'run-out' | 'too-often' | 'few-left' }
> {
  const { holds: all, courseDates } = await lockHolds(trx, { draftId, at });
  const holds = all.filter(({ offered }) => !offered);
  if (holds.length === 0) return { ok: false, reason: 'run-out' };
  const extended = Math.max(...holds.map((hold) => hold.extended)) + 1;
  if (extended > mostExtensions) return { ok: false, reason: 'too-often' };
  const expiresAt = new Date(at.getTime() + holdMs);
  for (const { courseDateId, madeAt: since, expiresAt: ends } of holds) {
    const courseDate = courseDates.get(courseDateId);
    if (!courseDate || courseDate.left >= fewSeats(courseDate)) continue;
    const heldMs = await heldMsOf(trx, { draftId, courseDateId, since, at });
    if (heldMs + holdMs <= mostHeldMs) continue;
    await setPauses(trx, draftId, [{ courseDateId, until: new Date(ends.getTime() + pauseMs) }]);
    return { ok: false, reason: 'few-left' };
  }
  await trx
    .updateTable('seat_holds')
    .set({ expires_at: expiresAt, extended })
    .where(
      'id',
      'in',
      holds.map(({ id }) => id),
    )
    .execute();
  return { ok: true, expiresAt, extended };
}

/**
 * Ends every open hold of a draft in locked course dates and gives the seats back; to sell them, sell in the same
 * transaction. Returns the number of seats by course date.
 */
export async function endDraftHolds(
  trx: Trx,
  courseDates: ReadonlyMap<number, LockedCourseDate>,
  how: 'sold' | 'released',
  { draftId, at }: Draft,
): Promise<Map<number, number>> {
  const ended = new Map<number, number>();
  for (const { id, courseDateId, seats } of await readOpenHolds(trx, draftId, at)) {
    const courseDate = courseDates.get(courseDateId);
    if (courseDate && (await endHold(trx, courseDate, id, how, at))) ended.set(courseDateId, seats);
  }
  return ended;
}

type Draft = {
  draftId: number;
  at: Date;
};

/**
 * Locks the course dates of a draft's holds and of the wanted seats, then the draft, and reads its holds again.
 * `others` is true when another request of the same draft has made holds in other course dates since.
 */
async function lockHolds(trx: Trx, { draftId, at }: Draft, wanted: readonly HoldWish[] = []) {
  const seen = await readOpenHolds(trx, draftId, at);
  const locked = new Set([...wanted, ...seen].map(({ courseDateId }) => courseDateId));
  const courseDates = await lockCourseDates(trx, [...locked], at);
  await trx.selectFrom('enrolment_drafts').select('id').where('id', '=', draftId).forNoKeyUpdate().execute();
  const all = await readOpenHolds(trx, draftId, at);
  const holds = all.filter(({ courseDateId }) => locked.has(courseDateId));
  return { courseDates, holds, others: holds.length < all.length };
}

const isOpen = ({ startsOn, enrolmentEndsOn, state }: LockedCourseDate, today: Day) =>
  takesEnrolments({ startDate: startsOn, enrolmentEnds: enrolmentEndsOn, state }, today);

/** How long seats of a date may have been held without being bought before that: one hold. */
const enoughMs = 15 * minuteMs;
/** How long seats of a date are not held again once they were held long enough without being bought. */
export const pauseMs = 30 * minuteMs;
/** How long a draft may hold seats of a date in all, extensions included, while few are left. */
const mostHeldMs = 60 * minuteMs;
/** How long the program remembers the network of a hold that ended; /privacy says the same. */
export const rememberedMs = 2 * 60 * minuteMs;

/** How many seats are few: they stay for others before somebody holds the same date again. */
const fewSeats = ({ capacity }: Pick<LockedCourseDate, 'capacity'>): number => Math.max(6, Math.ceil(capacity / 4));

/** The holder of seats: a draft, and the hash of the network behind it. */
type Holder = { draftId: number; visitor: string | undefined };

/**
 * The instant until which a date is not held again for a draft or its network (P27); null when it can be held. They
 * held seats of the date for a quarter of an hour in all, in one hold or several, and bought none. The course date has
 * to be locked, so that expired holds have ended.
 */
async function pausedUntil(
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
async function heldMsOf(
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
async function setPauses(
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
