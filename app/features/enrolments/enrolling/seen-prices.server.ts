import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CoursePrice } from '#app/features/money/pricing.ts';
import { dayMs } from '#app/lib/durations.ts';

/** Prices as a visitor saw them first; `at` is in ISO. */
export type SeenPrices = { prices: CoursePrice[]; at: string };

/** How long the prices first seen hold: a visit. */
const visitMs = dayMs;

/** The course or combo of a price, by its id, which no renaming changes: `course:12` or `combo:3`. */
export const pricedItem = ({ comboId, courses }: { comboId: number | null; courses: readonly { id: number }[] }) =>
  comboId === null ? `course:${courses[0]?.id}` : `combo:${comboId}`;

/** A hidden field's text: the prices that the page of an item shows, and when, with a signature. */
export function signPrices(secret: string, item: string, seen: SeenPrices): string {
  const body = Buffer.from(JSON.stringify(seen)).toString('base64url');
  return `${body}.${signature(secret, item, body)}`;
}

/** The prices that were signed for this item; null for anything else, and once the visit is over. */
export function readSeenPrices(secret: string, item: string, text: string, now: Date): SeenPrices | null {
  const [body = '', given = '', ...more] = text.split('.');
  const [wanted, compared] = [Buffer.from(signature(secret, item, body)), Buffer.from(given)];
  // Bytes, not characters: timingSafeEqual throws when the lengths in bytes differ.
  if (more.length > 0 || wanted.length !== compared.length || !timingSafeEqual(wanted, compared)) return null;
  // A signed text has the form that `signPrices` gave it.
  const seen = JSON.parse(Buffer.from(body, 'base64url').toString()) as SeenPrices;
  return isOfVisit(seen, now) ? seen : null;
}

/** The prices first shown in the visit; null once it is over, and when they are of other courses. */
export function pricesOfVisit(
  stored: Readonly<Record<string, SeenPrices>>,
  product: Parameters<typeof pricedItem>[0] & { prices: readonly CoursePrice[] },
  at: Date,
): SeenPrices | null {
  const seen = stored[pricedItem(product)];
  const same =
    seen?.prices.length === product.prices.length &&
    seen.prices.every(({ courseId }, index) => courseId === product.prices[index]?.courseId);
  return seen && same && isOfVisit(seen, at) ? seen : null;
}

/** Prices that hold until an instant, and for a visit from now at least. */
export const seenUntil = (until: Date, prices: CoursePrice[], now: Date): SeenPrices => ({
  prices,
  at: new Date(Math.max(now.getTime(), until.getTime() - visitMs)).toISOString(),
});

/** Whether prices seen at one time still hold at another. */
function isOfVisit({ at }: Pick<SeenPrices, 'at'>, now: Date): boolean {
  return now.getTime() - Date.parse(at) < visitMs;
}

function signature(secret: string, item: string, body: string): string {
  return createHmac('sha256', secret).update(`seen-prices:${item}:${body}`).digest('base64url');
}
