import { sql } from 'kysely';
import { type AuditChange, changesBetween } from '#app/audit/changes.ts';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { theBrief, theLedger } from '#app/features/catalogue/price-proofs.ts';
import { readPromotion } from '#app/features/catalogue/promotions/queries.server.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { publishRevision } from '#app/features/content/publish.server.ts';
import { type Author, currentOf } from '#app/features/content/records.ts';
import { findRecord, listRevisions, lockContent } from '#app/features/content/revisions.server.ts';
import { type Actor, personIdOf, requirePermission, theProgram } from '#app/features/people/actor.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { type Cents, dollarsFromCents } from '#app/lib/money.ts';
import { lastInstant } from '#app/lib/short-dates.ts';
import { wasCharged } from './price-ledger.server.ts';

type Price = { amountCents: Cents; originalCents: Cents | null };
/** `author`: who changes it, when that is not who acts. */
export type PriceWish = Price & { courseId: number; note: string | null; author?: Author };
type Acting = { actor: Actor; now: Date; today: Day };

export type NotChanged =
  | { ok: false; reason: 'unknown' | 'unchanged' | 'not-charged' }
  /** Refused: a running promotion includes the course. `until` is its end. */
  | { ok: false; reason: 'on-promotion'; until: Date }
  /** The faults that the content would have, in words. */
  | { ok: false; reason: 'unsound'; faults: string[] };

/**
 * Changes the price of a course from now on (P76) by a revision of the course, in one statement that closes the period
 * of the price and opens the next. Enrolments keep their price, and a visit that saw a lower price gets that (P28). An
 * original price has to be the present one, or one that was charged for four weeks within the last six months (P47). A
 * price does not rise while a promotion includes a combo with the course: its saving is measured against that price.
 */
export async function changePrice(
  trx: Trx,
  wish: PriceWish,
  by: Acting,
): Promise<{ ok: true; before: Price } | NotChanged> {
  requirePermission(by.actor, 'prices:change');
  // From here on nobody else changes content.
  await lockContent(trx);
  const before = await readPrice(trx, wish.courseId);
  if (!before) return { ok: false, reason: 'unknown' };
  const why = await whyNotTo(trx, wish, before, by.now);
  if (why) return why;
  const person = personIdOf(by.actor);
  const author: Author = wish.author ?? (person === null ? 'program' : { person });
  const published = await publishPrice(trx, before.slug, wish, author, by);
  return published.ok ? { ok: true, before } : published;
}

/** A change in the words of the trace (P69). */
export const changesOfPrice = (before: Price, after: Price): AuditChange[] =>
  changesBetween(
    { priceCents: before.amountCents, originalPriceCents: before.originalCents },
    { priceCents: after.amountCents, originalPriceCents: after.originalCents },
  );

async function readPrice(trx: Trx, courseId: number) {
  const row = await trx
    .selectFrom('courses')
    .select(['slug', 'price_cents', 'original_price_cents'])
    .where('id', '=', courseId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return row && { slug: row.slug, amountCents: row.price_cents, originalCents: row.original_price_cents };
}

async function whyNotTo(
  trx: Trx,
  { courseId, amountCents, originalCents }: PriceWish,
  before: Price,
  now: Date,
): Promise<NotChanged | null> {
  if (before.amountCents === amountCents && before.originalCents === originalCents) {
    return { ok: false, reason: 'unchanged' };
  }
  const isNew = originalCents !== null && originalCents !== before.originalCents;
  if (isNew && !(await wasCharged(trx, courseId, originalCents, now))) return { ok: false, reason: 'not-charged' };
  if (amountCents <= before.amountCents) return null;
  const promotion = await readPromotion(trx);
  if (!isRunning(promotion, now)) return null;
  const combo = await trx
    .selectFrom('combo_courses')
    .innerJoin('combos', 'combos.id', 'combo_id')
    .select('combos.id')
    .where('course_id', '=', courseId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return combo ? { ok: false, reason: 'on-promotion', until: new Date(promotion.endsAt) } : null;
}

/** Publishes the course with another price. */
async function publishPrice(
  trx: Trx,
  slug: string,
  { amountCents, originalCents, note }: PriceWish,
  author: Author,
  at: Acting,
): Promise<{ ok: true } | NotChanged> {
  const record = await findRecord(trx, 'course', slug);
  const newest = record && currentOf(await listRevisions(trx, record));
  if (!record || !newest) return { ok: false, reason: 'unknown' };
  const { originalPrice: _, ...rest } = newest.value;
  const original = originalCents === null ? {} : { originalPrice: dollarsFromCents(originalCents) };
  const value = { ...rest, price: dollarsFromCents(amountCents), ...original };
  const wish = { id: record.id, base: newest.number, value, author, note };
  const published = await publishRevision(trx, wish, at);
  // The content is locked, so nobody published in between.
  if (!published.ok && published.reason === 'moved-on') throw new Error(`course ${slug} has moved on`);
  return published;
}

/**
 * The owner confirms original prices of the brief: of one course, or of all (P47). `proof` is what shows that each was
 * charged; /claims shows it. Returns the courses.
 */
export async function confirmOriginals(
  trx: Trx,
  wish: { courseId: number | null; proof: string },
  { actor, now }: Pick<Acting, 'actor' | 'now'>,
): Promise<{ slug: string; originalCents: Cents }[]> {
  requirePermission(actor, 'prices:change');
  const rows = await trx
    .updateTable('prices')
    .from('courses')
    .set({ proof: wish.proof, proved_at: now, proved_by: personIdOf(actor) })
    .whereRef('courses.id', '=', 'prices.course_id')
    .where('retired_at', 'is', null)
    .where('until_at', 'is', null)
    .where('proof', '=', theBrief)
    .$if(wish.courseId !== null, (query) => query.where('prices.course_id', '=', wish.courseId ?? 0))
    .returning(['courses.slug', 'original_cents'])
    .execute();
  return rows.flatMap(({ slug, original_cents }) =>
    original_cents === null ? [] : [{ slug, originalCents: original_cents }],
  );
}

/** Takes a confirmation back: the original price is the brief's again. Returns what proved it, null without one. */
export async function takeConfirmationBack(
  trx: Trx,
  courseId: number,
  { actor }: Pick<Acting, 'actor'>,
): Promise<string | null> {
  requirePermission(actor, 'prices:change');
  const confirmed = await trx
    .selectFrom('prices')
    .select(['id', 'proof'])
    .where('course_id', '=', courseId)
    .where('until_at', 'is', null)
    .where('proved_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!confirmed) return null;
  const brief = { proof: theBrief, proved_at: null, proved_by: null };
  await trx.updateTable('prices').set(brief).where('id', '=', confirmed.id).execute();
  return confirmed.proof;
}

/** Plans a change of a price. Refused when one is planned for the same instant, or the instant has come. */
export async function planPrice(
  trx: Trx,
  wish: PriceWish & { from: Date },
  { actor, now }: { actor: Actor; now: Date },
): Promise<{ ok: true; id: number } | { ok: false; reason: 'past' | 'planned' }> {
  requirePermission(actor, 'prices:change');
  const person = personIdOf(actor);
  if (person === null) throw new Error('only staff plan prices');
  if (wish.from <= now) return { ok: false, reason: 'past' };
  const row = await trx
    .insertInto('planned_prices')
    .values({
      course_id: wish.courseId,
      amount_cents: wish.amountCents,
      original_cents: wish.originalCents,
      from_at: wish.from,
      person_id: person,
      note: wish.note,
      made_at: now,
    })
    .onConflict((conflict) => conflict.columns(['course_id', 'from_at']).where('ended_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row ? { ok: true, id: row.id } : { ok: false, reason: 'planned' };
}

/** Withdraws a planned change of a course's price; false when it was made or withdrawn already. */
export async function withdrawPlanned(
  trx: Trx,
  { id, courseId }: { id: number; courseId: number },
  { actor, now }: { actor: Actor; now: Date },
): Promise<boolean> {
  requirePermission(actor, 'prices:change');
  const { numUpdatedRows } = await trx
    .updateTable('planned_prices')
    .set({ ended_at: now, outcome: 'withdrawn' })
    .where('id', '=', id)
    .where('course_id', '=', courseId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Whether a person may change prices now. */
type MayChange = (trx: Trx, personId: number) => Promise<boolean>;

/**
 * The job: makes the planned changes whose instant has come, each once. A rise that a running promotion of combos does not
 * allow is made when that has ended (P47). One that the rules refuse by then, whose
 * planner may not change prices any more (P68), or that comes so late that another price has taken its place, is ended
 * with its reason, which the page of the course shows. Returns how many were made.
 */
export async function makePlannedPrices(db: Db, now: Date, mayChange: MayChange): Promise<number> {
  const due = await db
    .selectFrom('planned_prices')
    .select('id')
    .where('ended_at', 'is', null)
    .where('from_at', '<=', now)
    .orderBy('from_at')
    .execute();
  const items = { job: 'change planned prices', items: due, keyOf: ({ id }: { id: number }) => `price:${id}`, at: now };
  return eachItem(db, items, (trx, { id }) => makePlanned(trx, id, { now, mayChange }));
}

async function makePlanned(
  trx: Trx,
  id: number,
  { now, mayChange }: { now: Date; mayChange: MayChange },
): Promise<boolean> {
  const plan = await trx
    .selectFrom('planned_prices')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['course_id', 'slug', 'amount_cents', 'original_cents', 'from_at', 'planned_prices.note', 'person_id'])
    .where('planned_prices.id', '=', id)
    .where('ended_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!plan) return false;
  const wish = {
    courseId: plan.course_id,
    amountCents: plan.amount_cents,
    originalCents: plan.original_cents,
    note: plan.note,
    author: { person: plan.person_id },
  };
  const by = { actor: theProgram, now, today: academyDay(now) };
  // From here on nobody else changes the price.
  await lockContent(trx);
  const whyNot = !(await mayChange(trx, plan.person_id))
    ? noLongerMay
    : (await isReplaced(trx, plan, now))
      ? tooLate
      : null;
  const result = whyNot === null ? await changePrice(trx, wish, by) : null;
  // It waits for the end of the promotion; otherwise a sale that ends during one would last for ever.
  if (result?.ok === false && result.reason === 'on-promotion') return false;
  const fault = whyNot ?? (result && !result.ok ? notChangedInWords(result) : null);
  await trx
    .updateTable('planned_prices')
    .set({ ended_at: now, outcome: fault === null ? 'made' : 'refused', fault })
    .where('id', '=', id)
    .execute();
  if (!result?.ok) return false;
  await writeAuditEntry(trx, {
    at: now,
    // The person who planned it.
    personId: plan.person_id,
    action: 'change-price',
    subject: `course:${plan.slug}`,
    details: { planned: id },
    changes: changesOfPrice(result.before, wish),
  });
  return true;
}

const noLongerMay = 'The person who planned it may not change prices any more.';
const tooLate = 'It could not be made when it was due, and a later price has taken its place.';

/**
 * Whether another price has taken the place of a planned one that comes late: a later plan of the course came due and
 * was not withdrawn, or the course has cost something else since. What the program took away as lapsed changes no amount.
 */
async function isReplaced(trx: Trx, plan: { course_id: number; from_at: Date }, now: Date): Promise<boolean> {
  const { course_id, from_at } = plan;
  const { rows } = await sql<{ replaced: boolean }>`
    select exists (select from planned_prices
        where course_id = ${course_id} and from_at > ${from_at} and from_at <= ${now}
          and outcome is distinct from 'withdrawn')
      or exists (select from prices
        where course_id = ${course_id} and from_at > ${from_at} and amount_cents is distinct from (
          select amount_cents from prices where course_id = ${course_id} and from_at <= ${from_at}
          order by id desc limit 1)) as replaced`.execute(trx);
  return rows[0]?.replaced === true;
}

/**
 * The job: takes away original prices that only the ledger proved and that were last charged too long ago (P47).
 * Returns how many.
 */
export async function endLapsedOriginals(db: Db, now: Date): Promise<number> {
  const shown = await db
    .selectFrom('prices')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['course_id', 'slug', 'amount_cents', 'original_cents'])
    .where('until_at', 'is', null)
    .where('retired_at', 'is', null)
    .where('proof', '=', theLedger)
    .where(sql<boolean>`not was_charged(course_id, original_cents, ${now})`)
    .execute();
  type Shown = (typeof shown)[number];
  const items = {
    job: 'end lapsed original prices',
    items: shown,
    keyOf: (one: Shown) => `course:${one.course_id}`,
    at: now,
  };
  return eachItem(db, items, async (trx, { course_id, slug, amount_cents, original_cents }) => {
    if (original_cents === null || (await wasCharged(trx, course_id, original_cents, now))) return false;
    const note = 'The original price was last charged for four weeks too long ago to be shown';
    const wish = { courseId: course_id, amountCents: amount_cents, originalCents: null, note };
    const result = await changePrice(trx, wish, { actor: theProgram, now, today: academyDay(now) });
    if (!result.ok) return false;
    const changes = changesOfPrice(result.before, wish);
    await writeAuditEntry(trx, {
      at: now,
      personId: null,
      action: 'end-original-price',
      subject: `course:${slug}`,
      changes,
    });
    return true;
  });
}

/** Why a price was not changed, as a sentence. */
export function notChangedInWords(result: NotChanged): string {
  switch (result.reason) {
    case 'unknown':
      return 'This course is not on offer any more.';
    case 'unchanged':
      return 'Nothing was changed: this is the price already.';
    case 'not-charged':
      return 'The original price was not charged for four weeks within the last six months, so it cannot be shown.';
    case 'on-promotion':
      return `A combo with this course is on promotion until ${formatDay(academyDay(lastInstant(result.until)))}. Its saving is measured against today’s price, so the price cannot rise before that.`;
    case 'unsound':
      return `The content would have a fault: ${result.faults.join('; ')}.`;
  }
}
