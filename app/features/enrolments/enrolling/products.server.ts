import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { beginsWithAgreement } from '#app/features/catalogue/ways.ts';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { guidedStarts } from '#app/features/enrolments/placeable.ts';
import { priceOfCourse, pricesOfCombo } from '#app/features/money/pricing.ts';
import { readProduct } from '#app/features/money/product.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import type { ProductToChoose } from './choice.ts';
import { datesOf } from './dates-to-choose.ts';

/** The product of an address: a course or combo by its slug, former ones too, or a course date. */
export function itemOf(
  snapshot: Snapshot,
  named: { course?: string | null; courseDate?: CourseDate | null; combo?: string | null },
) {
  if (named.courseDate) return { item: `course:${named.courseDate.course.slug}`, courseDate: named.courseDate.slug };
  if (named.combo) {
    const slug = snapshot.comboAliases.get(named.combo) ?? named.combo;
    return snapshot.combos.some((one) => one.slug === slug) ? { item: `combo:${slug}`, courseDate: null } : null;
  }
  const slug = snapshot.aliases.get(named.course ?? '') ?? named.course ?? '';
  return snapshot.bySlug.has(slug) ? { item: `course:${slug}`, courseDate: null } : null;
}

type Asking = {
  now: Date;
  /** Seats this visitor holds already, by course date. */
  own?: ReadonlyMap<number, number>;
};

/**
 * A course or combo with every way to take it (P38); null when it is not offered. While the database is away it is what
 * the snapshot knows, without guided study (P37).
 */
export async function readProductToChoose(
  db: Db,
  snapshot: Snapshot,
  item: string,
  { now, own }: Asking,
): Promise<ProductToChoose | null> {
  const [kind, slug = ''] = item.split(':');
  const combo = kind === 'combo' ? snapshot.combos.find((one) => one.slug === slug) : undefined;
  const slugs = combo ? combo.courses.map((card) => card.slug) : kind === 'course' ? [slug] : [];
  const listed = slugs.flatMap((one) => snapshot.bySlug.get(one) ?? []);
  const [first] = listed;
  if (!first || listed.length !== slugs.length) return null;
  const comboId = combo?.id ?? null;
  const courseIds = listed.map(({ id }) => id);
  const product = await readProduct(db, { comboId, courseIds }, now, snapshot.bookings).catch((error: unknown) => {
    if (isConnectionFailure(error)) return 'away' as const;
    throw error;
  });
  if (product === null) return null;
  const today = academyDay(now);
  const away = product === 'away';
  const known = listed.map(({ id, priceId, card: { title, priceCents } }) => ({ id, priceId, title, priceCents }));
  const courses = listed.map(({ id, card }) => {
    const stored = away ? undefined : product.courses.find((course) => course.id === id);
    return {
      id,
      slug: card.slug,
      title: card.title,
      hours: card.hours,
      priceCents: stored?.priceCents ?? card.priceCents,
      dates: datesOf(snapshot.courseDates, card.slug, today, own),
      mondays: !away && stored?.guided ? guidedStarts(today, product.holidays) : [],
    };
  });
  return {
    item,
    title: combo?.title ?? first.card.title,
    comboId,
    courses,
    prices: away
      ? combo
        ? pricesOfCombo({ ...combo, courses: known }, isRunning(snapshot.promotion, now))
        : known.flatMap(priceOfCourse)
      : product.prices,
    agreementFirst: listed.some(({ card }) => beginsWithAgreement(card.category.slug)),
  };
}
