import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { findCourse } from '#app/features/catalogue/find-course.server.ts';
import { theBrief } from '#app/features/catalogue/price-proofs.ts';
import type { Promotion } from '#app/features/catalogue/promotions/promotion.ts';
import { readComboRows, readPromotion } from '#app/features/catalogue/promotions/queries.server.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { beginsWithAgreement } from '#app/features/catalogue/ways.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { readHolidays } from './invoices.server.ts';
import { type CoursePrice, priceOfCourse, pricesOfCombo } from './pricing.ts';

export type PriceFilter = { search: string; state: 'unproved' | 'planned' | null; page: number };
const pageLength = 100;

/** From when a planned price will hold: a rise under a combo waits for the end of its promotion (P47). */
const holdsFrom = ({ endsAt }: Promotion) => sql<Date>`case when planned_prices.amount_cents > courses.price_cents
    and exists (select from combo_courses join combos on combos.id = combo_id
      where combo_courses.course_id = courses.id and combos.retired_at is null)
  then greatest(planned_prices.from_at, ${endsAt}::timestamptz) else planned_prices.from_at end`;

/** A page of the courses on offer with what is asked for each now, by title; `more`: there is a further page. */
export async function listPrices(db: Db, actor: StaffActor, { search, state, page }: PriceFilter) {
  requirePermission(actor, 'prices:read');
  const words = search.split(/\s+/).filter((word) => word !== '');
  const rows = await db
    .selectFrom('courses')
    .innerJoin('prices', 'prices.course_id', 'courses.id')
    .select(['courses.slug', 'title', 'amount_cents', 'original_cents', 'from_at', 'proof'])
    .select(
      sql<Date | null>`(select min(${holdsFrom(await readPromotion(db))}) from planned_prices
        where planned_prices.course_id = courses.id and ended_at is null)`.as('next_at'),
    )
    .where('until_at', 'is', null)
    .where('retired_at', 'is', null)
    .$if(state === 'unproved', (query) =>
      query
        .where('original_cents', 'is not', null)
        .where((eb) => eb.or([eb('proof', 'is', null), eb('proof', '=', theBrief)])),
    )
    .$if(state === 'planned', (query) =>
      query.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('planned_prices')
            .select('planned_prices.id')
            .whereRef('planned_prices.course_id', '=', 'courses.id')
            .where('ended_at', 'is', null),
        ),
      ),
    )
    .where((eb) => eb.and(words.map((word) => sql<boolean>`strpos(lower(title), lower(${word})) > 0`)))
    .orderBy(sql`lower(title)`)
    .orderBy('courses.id')
    .offset((page - 1) * pageLength)
    .limit(pageLength + 1)
    .execute();
  return { courses: rows.slice(0, pageLength), more: rows.length > pageLength };
}

/** How many original prices are shown with the brief as their only source, and how many are not shown for want of any. */
export async function countUnproved(db: Db, actor: StaffActor): Promise<{ brief: number; hidden: number }> {
  requirePermission(actor, 'prices:read');
  const { brief, hidden } = await db
    .selectFrom('prices')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(({ fn }) => fn.countAll<string>().filterWhere('proof', '=', theBrief).as('brief'))
    .select(({ fn }) => fn.countAll<string>().filterWhere('proof', 'is', null).as('hidden'))
    .where('until_at', 'is', null)
    .where('retired_at', 'is', null)
    .where('original_cents', 'is not', null)
    .executeTakeFirstOrThrow();
  return { brief: Number(brief), hidden: Number(hidden) };
}

/**
 * A course, by the slug that it has or had, with every period of its price, the latest first, its planned changes, and the
 * visits and offers of waiting lists that saw another price.
 */
export async function readPricesOf(db: Db, actor: StaffActor, slug: string) {
  requirePermission(actor, 'prices:read');
  const found = await findCourse(db, slug);
  if (!found) return null;
  const course = await db
    .selectFrom('courses')
    .select(['id', 'slug', 'title', 'price_cents', 'original_price_cents', 'retired_at'])
    .where('id', '=', found.id)
    .executeTakeFirstOrThrow();
  const periods = await db
    .selectFrom('prices')
    .leftJoin('people', 'people.id', 'prices.person_id')
    .select(['prices.id', 'amount_cents', 'original_cents', 'from_at', 'until_at', 'author', 'people.name', 'note'])
    .select(['proof', 'proved_at'])
    .select(
      sql<number>`(select count(*) from places where price_id = prices.id and state <> 'cancelled')::integer`.as(
        'places',
      ),
    )
    .where('course_id', '=', course.id)
    .orderBy('prices.id', 'desc')
    .execute();
  const planned = await db
    .selectFrom('planned_prices')
    .innerJoin('people', 'people.id', 'planned_prices.person_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['planned_prices.id', 'amount_cents', 'original_cents', 'from_at', 'people.name', 'note'])
    .select(['outcome', 'fault', 'ended_at'])
    .select(holdsFrom(await readPromotion(db)).as('holds_from'))
    .where('course_id', '=', course.id)
    .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', '=', 'refused')]))
    .orderBy('from_at')
    .execute();
  const key = `course:${course.id}`;
  const { drafts } = await db
    .selectFrom('enrolment_drafts')
    .select(({ fn }) => fn.countAll<string>().as('drafts'))
    .where(
      sql<boolean>`prices ? ${key} and (prices->${key}->'prices'->0->>'priceCents')::integer <> ${course.price_cents}`,
    )
    .executeTakeFirstOrThrow();
  // An offer that was accepted has a draft.
  const { offers } = await db
    .selectFrom('waiting_offers')
    .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .innerJoin('prices', 'prices.course_id', 'waiting_entries.course_id')
    .select(({ fn }) => fn.countAll<string>().as('offers'))
    .where('waiting_entries.course_id', '=', course.id)
    .where('waiting_entries.enrolment_id', 'is', null)
    .where('draft_id', 'is', null)
    .where('waiting_offers.ended_at', 'is', null)
    .whereRef('prices.from_at', '<=', 'waiting_offers.made_at')
    .whereRef('prices.until_at', '>', 'waiting_offers.made_at')
    .where('amount_cents', '<>', course.price_cents)
    .executeTakeFirstOrThrow();
  return { course, formerSlugs: found.formerSlugs, periods, planned, seen: Number(drafts) + Number(offers) };
}

/** Whether a course was charged a price for four weeks within the six months before an instant (P47). */
export async function wasCharged(db: Db, courseId: number, cents: Cents, at: Date): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`select was_charged(${courseId}, ${cents}, ${at}) as was`.execute(db);
  return rows[0]?.was ?? false;
}

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
