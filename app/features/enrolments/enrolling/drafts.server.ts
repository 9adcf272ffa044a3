import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import {
  type HoldRefusal,
  mostExtensions,
  type OpenHold,
  readOpenHolds,
  readPauses,
  seatsHeldBy,
  setDraftHolds,
} from '#app/features/course-dates/draft-holds.server.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import { seatsLeft } from '#app/features/course-dates/seats.server.ts';
import type { Agreed } from '#app/features/enrolments/organisation.server.ts';
import { type Asked, askLimits, type FormLimit, type Room, waitText } from '#app/http/form-limit.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import type { SeenPrices } from './seen-prices.server.ts';
import { type StepName, steps } from './steps.ts';

/** The typed fields so far (personal data), by step. */
export type Draft = Record<StepName, FormValues> & {
  id: number;
  /** What somebody typed who asks their employer to pay (P113); empty otherwise. */
  employer: FormValues;
  /** The prices first shown for each `pricedItem`, and when: they hold for the visit. */
  prices: Record<string, SeenPrices>;
  /** The address whose owner entered the code sent to it. */
  confirmedEmail: string | null;
  /** Set once it was placed. */
  enrolmentId: number | null;
};

/** How long a draft is kept after its last change, and while nothing but a choice was made. */
export const draftDays = 7;
export const choiceDays = 1;
export const draftTables = ['enrolment_drafts', 'email_codes'];

/**
 * The token of the draft that a form makes: 192 bits in hexadecimal, because addresses are in lower case. The same form
 * sent twice makes the same draft (P25). Only its hash is stored.
 */
export function draftToken(secret: string, formToken: string): string {
  return createHmac('sha256', secret).update(`enrolment-draft:${formToken}`).digest('hex').slice(0, 48);
}

/** The token of the buyer's link to the enrolment that was placed with this link to a draft, and with no other. */
export function placedToken(secret: string, token: string): string {
  return createHmac('sha256', secret).update(`placed-draft:${token}`).digest('hex').slice(0, 48);
}

/** Makes a draft, or finds the one that the same form made before. */
export async function storeDraft(trx: Db, token: string, at: Date): Promise<Draft> {
  await trx
    .insertInto('enrolment_drafts')
    .values({ token_hash: hashOfToken(token), created_at: at, changed_at: at })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
  const draft = await findDraft(trx, token);
  if (!draft) throw new Error('a draft that was just stored is missing');
  return draft;
}

/** The draft of a private link; null when there is none (any more). */
export async function findDraft(db: Db, token: string): Promise<Draft | null> {
  const row = await db
    .selectFrom('enrolment_drafts')
    .select(['id', 'typed', 'prices', 'confirmed_email', 'enrolment_id'])
    .where((draft) =>
      draft.or([
        draft('token_hash', '=', hashOfToken(token)),
        draft(
          'id',
          'in',
          draft.selectFrom('private_links').select('enrolment_draft_id').where('token_hash', '=', hashOfToken(token)),
        ),
      ]),
    )
    .executeTakeFirst();
  if (!row) return null;
  // Only `saveEnrolmentDraft` writes these columns. Who attends and the terms were steps of their own before.
  const stored = row.typed as Partial<Record<StepName | 'attendees' | 'terms' | 'employer', FormValues>>;
  const typed = {
    ...stored,
    payer: { ...stored.attendees, ...stored.payer },
    review: stored.review ?? stored.terms ?? {},
  };
  const byStep = Object.fromEntries(steps.map(({ name }) => [name, typed[name] ?? {}])) as Record<StepName, FormValues>;
  return {
    ...byStep,
    id: row.id,
    employer: stored.employer ?? {},
    prices: row.prices as Draft['prices'],
    confirmedEmail: row.confirmed_email,
    enrolmentId: row.enrolment_id,
  };
}

/** Locks a draft until the transaction ends; returns the address whose owner entered the code. */
export async function lockDraft(trx: Trx, id: number): Promise<string | null> {
  const query = trx.selectFrom('enrolment_drafts').select('confirmed_email').where('id', '=', id).forUpdate();
  return (await query.executeTakeFirst())?.confirmed_email ?? null;
}

/** Replaces the stored fields of these steps; does nothing once the draft was placed. */
export async function saveEnrolmentDraft(
  trx: Db,
  id: number,
  changes: Partial<Omit<Draft, 'id' | 'enrolmentId'>>,
  at: Date,
): Promise<void> {
  const { prices, confirmedEmail, ...typed } = changes;
  await trx
    .updateTable('enrolment_drafts')
    .set({
      typed: sql`typed || ${JSON.stringify(typed)}::jsonb`,
      ...(prices && { prices: JSON.stringify(prices) }),
      ...(confirmedEmail !== undefined && { confirmed_email: confirmedEmail }),
      changed_at: at,
    })
    .where('id', '=', id)
    .where('enrolment_id', 'is', null)
    .execute();
}

/** Replaces the prices with which a draft was read, unless another page has stored some since. */
export async function storePrices(db: Db, draft: Pick<Draft, 'id' | 'prices'>, prices: Draft['prices']): Promise<void> {
  await db
    .updateTable('enrolment_drafts')
    .set({ prices: JSON.stringify(prices) })
    .where('id', '=', draft.id)
    .where('enrolment_id', 'is', null)
    .where(sql<boolean>`prices = ${JSON.stringify(draft.prices)}::jsonb`)
    .execute();
}

/**
 * The daily job: erases drafts that were last changed seven days ago, or one day ago when no form beyond the choice was
 * ever sent. Returns how many, null when it was done today.
 */
export async function expireDraftsDaily(db: Db, now: Date): Promise<number | null> {
  return doDaily(db, 'erase-enrolment-drafts', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('enrolment_drafts')
      .where(({ eb, and, or }) => {
        const unchangedFor = (days: number) => eb('changed_at', '<', new Date(now.getTime() - days * dayMs));
        return or([
          unchangedFor(draftDays),
          and([
            unchangedFor(choiceDays),
            sql<boolean>`typed - 'choice' = '{}'`,
            eb('confirmed_email', 'is', null),
            eb('enrolment_id', 'is', null),
          ]),
        ]);
      })
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await noteErased(trx, draftTables);
    return Number(numDeletedRows);
  });
}

/** Drafts that one network address may begin within the window of forms, and a customer's network within a day. */
const mostInWindow = 20;
const mostInDay = 100;
/** Bytes by which the drafts of a customer's network may grow within a day. */
const mostBytesInDay = 2_000_000;
/** How long the network of a draft that was begun is kept; /privacy says the same. */

type Storing = {
  limit: FormLimit;
  /** The network address that sends it. */
  address: string;
  /** Whether a draft is begun. */
  begins: boolean;
  /** The growth of the stored draft in bytes; negative when it shrinks. */
  bytes: number;
};

/**
 * Whether a network may begin another draft, or store more in one (P24). Drafts with a confirmed address do not count:
 * there are few of them, and their people are real. It is called before course dates are locked.
 */
export function askDraftLimits(trx: Db, { limit, address, begins, bytes }: Storing, at: Date): Promise<Room> {
  const day = (most: number, name: string) => ({
    attempts: most,
    attemptsOfWideNetwork: most,
    windowMs: dayMs,
    key: `${limit.key}:${name}`,
  });
  const inWindow = { attempts: mostInWindow, attemptsOfWideNetwork: mostInWindow * 4, key: `${limit.key}:drafts` };
  const asked: Asked[] = [];
  if (begins) {
    asked.push({ limit: { ...limit, ...inWindow }, by: address });
    asked.push({ limit: day(mostInDay, 'drafts-day'), by: address });
  }
  if (bytes > 0) asked.push({ limit: day(mostBytesInDay, 'draft-bytes-day'), by: address, weight: bytes });
  return asked.length > 0 ? askLimits(trx, asked, at) : Promise.resolve({ ok: true, count: async () => undefined });
}

/** The bytes that a part of a draft takes. */
export const bytesOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part));

/** Why nothing more is stored, and what the visitor can do. */
export function tooMuchText(waitMs: number): string {
  return `Many people on your network started enrolling. On a mobile network or in an office, you share it with other people. What you filled in on this page is not saved yet, but it is still below. Please send it again in ${waitText(waitMs)}, use another connection, or call us and we enrol you.`;
}

/** For whom seats are held, whose holds count together, and how many seats they may be at once. */
export type Holder = { kind: 'network' | 'organisation'; visitor: string; most: number };

/** An organisation that has paid before holds seats by its credit (P117), everybody else by the network (P27). */
export const holderOf = (known: Agreed | null, network: string): Holder =>
  known?.creditSeats
    ? { kind: 'organisation', visitor: `organisation ${known.organisationId}`, most: known.creditSeats }
    : { kind: 'network', visitor: network, most: mostSeats.network };

type WantedSeats = { courseDateId: number; seats: number };

export type NotHeld =
  | { ok: false; reason: 'refused'; refused: HoldRefusal[] }
  | { ok: false; reason: 'too-many-held'; of: Holder }
  | { ok: false; reason: 'meanwhile' };

/**
 * Replaces the seats held for a draft by those it wants, within those of its holder. A refusal keeps the earlier holds; a pause (`setDraftHolds`) is no refusal. `today` is the academy's
 * day.
 */
export async function holdForDraft(
  trx: Trx,
  draftId: number,
  { wanted, holder, at, today }: { wanted: readonly WantedSeats[]; holder: Holder; at: Date; today: Day },
): Promise<{ ok: true } | NotHeld> {
  const { visitor, most } = holder;
  // Requests of one holder take turns. This lock comes before the course dates' locks: nothing that holds those waits
  // for it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`held seats ${visitor}`}, 0))`.execute(trx);
  const asked = wanted.reduce((sum, { seats }) => sum + seats, 0);
  if (asked > 0 && asked + (await seatsHeldBy(trx, visitor, at, draftId)) > most) {
    return { ok: false, reason: 'too-many-held', of: holder };
  }
  const held = await setDraftHolds(trx, { draftId, wanted, visitor, at, today });
  return held.ok ? { ok: true } : held;
}

/**
 * The dates with fewer seats left than wanted, read without a lock: a visitor need not wait for a turn to learn this.
 */
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
  /** With `again`, the date cannot be held now but can be held from then on; the visitor can go on without. */
  | { state: 'over'; again: Date | null };

/**
 * The state of the seats that a draft wants at `at`; `none` when it wants no seat of a date. `open` are its holds that
 * are open then.
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
