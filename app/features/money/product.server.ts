import type { Db } from '#app/db/client.server.ts';
import { readComboRows, readPromotion } from '#app/features/catalogue/promotions/queries.server.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { beginsWithAgreement } from '#app/features/catalogue/ways.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { readHolidays } from './parties.server.ts';
import { type CoursePrice, priceOfCourse, pricesOfCombo } from './pricing.ts';

/** A course of a product. */
type ProductCourse = {
  id: number;
  slug: string;
  title: string;
  /** The period of its price (P76). */
  priceId: number;
  priceCents: Cents;
  guided: boolean;
  /** An agreement comes before a place (P28). */
  jobGuarantee: boolean;
};

/** A course, or a combo with its courses in order, as it is sold now. */
export type Product = {
  title: string;
  /** Null for a single course. */
  comboId: number | null;
  courses: ProductCourse[];
  /** Today's, in the order of the courses. */
  prices: CoursePrice[];
  /** Public holidays of Queensland, to count the business days before guided study; empty when no course is guided. */
  holidays: ReadonlySet<Day>;
};

/**
 * Reads a course or combo as it is sold now; null when it is not sold, or has other courses now. `now`
 * decides whether the promotion runs (P16). A page that only shows the product gives the public holidays
 * that it knows; a command that places it reads them.
 */
export async function readProduct(
  trx: Db,
  { comboId, courseIds }: { comboId: number | null; courseIds: readonly number[] },
  now: Date,
  known?: { holidays: ReadonlySet<Day> },
): Promise<Product | null> {
  const combos = comboId === null ? [] : await readComboRows(trx);
  const combo = combos.find(({ id }) => id === comboId);
  if (comboId !== null && !combo) return null;
  if (new Set(courseIds).size !== courseIds.length) return null;
  const wanted = combo ? combo.courseIds : courseIds;
  if (wanted.length !== courseIds.length || !wanted.every((id) => courseIds.includes(id))) return null;
  if (!combo && wanted.length !== 1) return null;
  const rows = await trx
    .selectFrom('courses')
    .innerJoin('prices', 'prices.course_id', 'courses.id')
    .select(['courses.id', 'slug', 'title', 'prices.id as price_id', 'amount_cents', 'guided', 'category_slug'])
    .where('courses.id', 'in', wanted)
    .where('until_at', 'is', null)
    .where('retired_at', 'is', null)
    .execute();
  const courses = wanted.flatMap((id) => rows.filter((row) => row.id === id)).map(offeredCourse);
  const [first] = courses;
  if (!first || courses.length !== wanted.length) return null;
  return {
    title: combo?.title ?? first.title,
    comboId,
    courses,
    prices: combo
      ? pricesOfCombo({ discountPercent: combo.discountPercent, courses }, isRunning(await readPromotion(trx), now))
      : priceOfCourse(first),
    holidays: courses.some(({ guided }) => guided) ? (known?.holidays ?? (await readHolidays(trx))) : new Set(),
  };
}

type CourseRow = {
  id: number;
  slug: string;
  title: string;
  price_id: number;
  amount_cents: number;
  guided: boolean;
  category_slug: string;
};

const offeredCourse = ({
  id,
  slug,
  title,
  price_id,
  amount_cents,
  guided,
  category_slug,
}: CourseRow): ProductCourse => ({
  id,
  slug,
  title,
  priceId: price_id,
  priceCents: amount_cents,
  guided,
  jobGuarantee: beginsWithAgreement(category_slug),
});
