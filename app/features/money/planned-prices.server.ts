import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { theLedger } from '#app/features/catalogue/price-proofs.ts';
import { lockContent } from '#app/features/content/revisions.server.ts';
import { type Actor, personIdOf, requirePermission, theProgram } from '#app/features/people/actor.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { lastInstant } from '#app/lib/short-dates.ts';
import { changePrice, changesOfPrice, type NotChanged, type PriceWish } from './price-changes.server.ts';
import { wasCharged } from './price-ledger.server.ts';

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
  // It waits for the end of the promotion: a sale whose end falls into one would last for ever otherwise.
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
