import type { Combo } from '#app/features/catalogue/promotions/promotion.ts';
import { comboPrice } from '#app/features/catalogue/promotions/rules.ts';
import { gstIn } from '#app/lib/gst.ts';
import type { Cents } from '#app/lib/money.ts';
import { shareOut } from '#app/lib/shares.ts';

/** How a course is taken (P38): on a date, guided, or on the list for the next date. */
export type Way = 'date' | 'guided' | 'next-date';

type PricedCourse = { id: number; priceId: number | null; title: string; priceCents: Cents };

/** The price of one course for one attendee, in cents, GST included. Plain JSON: a draft keeps it for the visit. */
export type CoursePrice = {
  courseId: number;
  /** The period of the course's own price (P76). Null: it was seen before periods were kept. */
  priceId: number | null;
  title: string;
  /** The course's own price. */
  priceCents: Cents;
  /** The discount of the combo. */
  discountCents: Cents;
  /** Why, such as `Combo −30%`; null without a discount. */
  discount: string | null;
};

/** The price of a single course (P1). */
export function priceOfCourse({ id, priceId, title, priceCents }: PricedCourse): CoursePrice[] {
  return [{ courseId: id, priceId, title, priceCents, discountCents: 0, discount: null }];
}

/**
 * The prices of a combo's courses, in its order: what the combo saves is shared among them by largest remainder (P30),
 * so that they sum to the price of `comboPrice` to the cent. `running`: whether the promotion runs (P16).
 */
export function pricesOfCombo(
  combo: Pick<Combo, 'discountPercent'> & { courses: readonly PricedCourse[] },
  running: boolean,
): CoursePrice[] {
  const { savingCents } = comboPrice(combo, running);
  const shares = shareOut(
    savingCents,
    combo.courses.map(({ priceCents }) => priceCents),
  );
  return combo.courses.map(({ id, priceId, title, priceCents }, at) => ({
    courseId: id,
    priceId,
    title,
    priceCents,
    discountCents: shares[at] ?? 0,
    discount: savingCents > 0 ? `Combo −${combo.discountPercent}%` : null,
  }));
}

type ChoicePriceLine = CoursePrice & {
  /** How many attendees. */
  quantity: number;
  /** For one attendee, less the discount: the amount that `places` and the invoice hold. */
  eachCents: Cents;
  totalCents: Cents;
  /** Taken on the list for the next date: invoiced when there is one. */
  later: boolean;
};

/** The price of a choice, in cents, GST included. */
export type ChoicePrice = {
  lines: ChoicePriceLine[];
  attendees: number;
  /** At the courses' own prices. */
  sumCents: Cents;
  discountCents: Cents;
  /** The explanation of the discount, null when there is none. */
  discount: string | null;
  totalCents: Cents;
  /** GST in the total. */
  gstCents: Cents;
  /** The total of the invoice issued at placing, with its GST; the rest is invoiced when a course has a date. */
  nowCents: Cents;
  nowGstCents: Cents;
};

/**
 * Computes the price of a choice for a number of attendees; `ways` says how each course is taken, in the order of the
 * prices.
 */
export function quoteOfPrices(
  prices: readonly CoursePrice[],
  attendees: number,
  ways: readonly Way[] = [],
): ChoicePrice {
  const lines = prices.map((price, at): ChoicePriceLine => {
    const eachCents = price.priceCents - price.discountCents;
    return {
      ...price,
      quantity: attendees,
      eachCents,
      totalCents: eachCents * attendees,
      later: ways[at] === 'next-date',
    };
  });
  const total = (amount: (line: ChoicePriceLine) => Cents) => lines.reduce((sum, line) => sum + amount(line), 0);
  const totalCents = total((line) => line.totalCents);
  const nowCents = total((line) => (line.later ? 0 : line.totalCents));
  return {
    lines,
    attendees,
    sumCents: total((line) => line.priceCents * line.quantity),
    discountCents: total((line) => line.discountCents * line.quantity),
    discount: lines.find(({ discount }) => discount !== null)?.discount ?? null,
    totalCents,
    gstCents: gstIn(totalCents),
    nowCents,
    nowGstCents: gstIn(nowCents),
  };
}

/**
 * A discount in whole per cent: agreed with an organisation, by its name (P117), or of one quote of staff (P111), which may
 * have what one person pays for everything instead (P114), in cents, GST included.
 */
export type AgreedDiscount = { name: string | null; percent: number; seatCents?: Cents | null };

/**
 * Prices with an agreed discount (P117), in whole per cent of each course's own price; half a cent counts for the buyer.
 * What a price for one person takes off is shared among the courses by largest remainder.
 * It never adds to what a combo saves: the larger of the two counts, whole, by what all courses cost together.
 */
export function agreedPrices(
  prices: readonly CoursePrice[],
  { name, percent, seatCents = null }: AgreedDiscount,
): readonly CoursePrice[] {
  const own = prices.map(({ priceCents }) => priceCents);
  const ownCents = own.reduce((sum, cents) => sum + cents, 0);
  const off =
    seatCents === null
      ? own.map((cents) => Math.ceil((cents * percent) / 100))
      : shareOut(Math.max(0, ownCents - seatCents), own);
  const discount =
    seatCents !== null
      ? `Agreed${name === null ? ' price' : ` with ${name}`}`
      : name === null
        ? `Agreed −${percent}%`
        : `Agreed with ${name}: ${percent}% off`;
  const agreed = prices.map((price, at) => ({ ...price, discountCents: off[at] ?? 0, discount }));
  return quoteOfPrices(agreed, 1).totalCents < quoteOfPrices(prices, 1).totalCents ? agreed : prices;
}

/**
 * The lower of the prices first shown in a visit and today's (P28): whole, by what all courses cost together, because a
 * combo is one price. Today's when there are none of the visit, or they are of other courses.
 */
export function lowerPrices(
  shown: readonly CoursePrice[] | null,
  today: readonly CoursePrice[],
): readonly CoursePrice[] {
  const same = shown?.length === today.length && today.every(({ courseId }, at) => shown[at]?.courseId === courseId);
  if (!shown || !same) return today;
  return quoteOfPrices(today, 1).totalCents < quoteOfPrices(shown, 1).totalCents ? today : shown;
}

/** What a combo took off a price (P99): nothing of a discount that was agreed. */
export const comboDiscountOf = ({ discountCents, discount }: Pick<CoursePrice, 'discountCents' | 'discount'>): Cents =>
  discount?.startsWith('Combo') ? discountCents : 0;
