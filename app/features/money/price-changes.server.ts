import { type AuditChange, changesBetween } from '#app/audit/changes.ts';
import type { Trx } from '#app/db/client.server.ts';
import { theBrief } from '#app/features/catalogue/price-proofs.ts';
import { readPromotion } from '#app/features/catalogue/promotions/queries.server.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { publishRevision } from '#app/features/content/publish.server.ts';
import { type Author, currentOf } from '#app/features/content/records.ts';
import { findRecord, listRevisions, lockContent } from '#app/features/content/revisions.server.ts';
import { type Actor, personIdOf, requirePermission } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import { type Cents, dollarsFromCents } from '#app/lib/money.ts';
import { wasCharged } from './price-ledger.server.ts';

type Price = { amountCents: Cents; originalCents: Cents | null };
/** `author`: who changes it, when that is not who acts. */
export type PriceWish = Price & { courseId: number; note: string | null; author?: Author };
type Acting = { actor: Actor; now: Date; today: Day };

export type NotChanged =
  | { ok: false; reason: 'unknown' | 'unchanged' | 'not-charged' }
  /** It would rise while a combo of it is on promotion; until when that runs. */
  | { ok: false; reason: 'on-promotion'; until: Date }
  /** The faults that the content would have, in words. */
  | { ok: false; reason: 'unsound'; faults: string[] };

/**
 * Changes what a course costs from now on (P76): a revision of the course, whose one statement closes the period of the
 * price and opens the next. Enrolments keep what they were placed at, and a visit that saw a lower price gets that (P28).
 * An original price has to be the one that is there already, or one that was charged for four weeks within the last six
 * months (P47). A price does not rise while a combo of it is on promotion: its saving is measured against that price.
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

/** What the trace says of a change (P69). */
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
