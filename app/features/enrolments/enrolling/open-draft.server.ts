import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { termsToAccept } from '#app/features/catalogue/site/terms.ts';
import { beginsWithAgreement } from '#app/features/catalogue/ways.ts';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { readOpenHolds } from '#app/features/course-dates/draft-holds.server.ts';
import type { AttendeeWish } from '#app/features/enrolments/order.ts';
import { type Agreed, chargedPrices, mostPeopleOf, readKnown } from '#app/features/enrolments/organisation.server.ts';
import { guidedStarts } from '#app/features/enrolments/placeable.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { lowerPrices, priceOfCourse, pricesOfCombo } from '#app/features/money/pricing.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatDays } from '#app/lib/dates.ts';
import {
  type Choice,
  type ProductToChoose,
  quoteOfChoice,
  readChoice,
  requestReason,
  seatsOf,
  wayField,
} from './choice.ts';
import { withCurrentSlugs } from './current-slugs.ts';
import { datesOf } from './dates-to-choose.ts';
import { type Draft, findDraft, ownSeats, readHoldState, storePrices } from './drafts.server.ts';
import type { LostDate, OpenDraft } from './open-draft.ts';
import { attendsSelf, readAttendees, readPayer } from './schema.ts';
import { pricedItem, pricesOfVisit, type SeenPrices } from './seen-prices.server.ts';
import { stepForms } from './step-forms.server.ts';
import { type StepName, steps } from './steps.ts';

/** The draft of a private link with everything computed from it; null when there is none. */
export async function openDraft({ db, clock }: Academy, snapshot: Snapshot, token: string): Promise<OpenDraft | null> {
  const found = await findDraft(db, token);
  if (!found) return null;
  const draft = withCurrentSlugs(found, snapshot);
  const now = clock.now();
  const open = await readOpenHolds(db, draft.id, now);
  const product = await readProductToChoose(db, snapshot, draft.choice.item ?? '', { now, own: ownSeats(open) });
  const read = product && readChoice(product, draft.choice);
  const choice = read?.ok ? read.choice : null;
  const shown = product && (pricesOfVisit(draft.prices, product, now)?.prices ?? null);
  const prices = product && lowerPrices(shown, product.prices);
  const known = await knownBuyerOf(db, draft);
  const quote = product && choice && prices && quoteOfChoice(product, chargedPrices(prices, known), choice);
  const payer = readPayer(draft.payer);
  const opened = {
    token,
    draft,
    product,
    choice,
    prices,
    quote,
    known,
    fellFromCents:
      product && choice && shown && prices !== shown
        ? quoteOfChoice(product, chargedPrices(shown, known), choice).totalCents
        : null,
    request: product && choice ? requestReason(product, choice, mostPeopleOf(known)) : null,
    attendees: choice && attendeesOf(draft, choice),
    payer: payer.ok ? payer.data : null,
    termsId: termsToAccept(snapshot),
    confirmed: payer.ok && draft.confirmedEmail === payer.data.buyer.email,
    lost: product && !choice ? lostDate(snapshot, product, draft) : null,
    hold: choice
      ? await readHoldState(db, { draftId: draft.id, open }, seatsOf(choice), now)
      : ({ state: 'none' } as const),
  };
  return { ...opened, reached: reachedOf(opened) };
}

/** What is agreed with the organisation that the proved buyer of a draft manages; null for everybody else. */
export function knownBuyerOf(
  db: Db,
  { payer, confirmedEmail }: Pick<Draft, 'payer' | 'confirmedEmail'>,
): Promise<Agreed | null> {
  const isProved = confirmedEmail !== null && confirmedEmail === payer.email;
  if (!isProved || payer.payer !== 'organisation') return Promise.resolve(null);
  const abn = payer.abn?.replaceAll(' ', '') || null;
  return readKnown(db, {
    email: confirmedEmail,
    payer: { kind: 'organisation', organisation: payer.organisation, abn },
  });
}

function reachedOf(opened: Omit<OpenDraft, 'reached'>): StepName {
  if (!opened.choice || opened.request !== null) return 'choice';
  const first = steps.find(({ name }) => name !== 'choice' && !stepForms[name].isComplete(opened));
  return first?.name ?? 'review';
}

/** The first date in a draft that can no longer be chosen. */
function lostDate({ courseDates }: Snapshot, { courses }: ProductToChoose, { choice }: Draft): LostDate | null {
  for (const { slug, dates } of courses) {
    const named = /^course-date:(.+)$/.exec(choice[wayField(slug)] ?? '')?.[1];
    if (named === undefined || dates.some((date) => date.slug === named)) continue;
    const courseDate = courseDates.find((one) => one.slug === named);
    const days = courseDate ? formatDays(courseDate.startDate, courseDate.endDate) : '';
    return { days, why: courseDate?.state === 'cancelled' ? 'cancelled' : 'closed' };
  }
  return null;
}

/** Why a chosen date is no longer available, and which fields are kept. */
export function lostText({ days, why }: LostDate): string {
  const date = days === '' ? 'the date you had chosen' : `the date ${days}`;
  const what = why === 'cancelled' ? 'was cancelled' : 'is closed for enrolment';
  return `${date} ${what}. Please choose another date, guided study or the list for the next date. Everything else you typed is kept.`;
}

/**
 * Stores the prices that a page of the draft shows where it has none of this visit: they are the first ones shown (P28).
 * Reading a page keeps the draft no longer.
 */
export async function keepShownPrices({ db, clock }: Academy, { draft, product }: OpenDraft): Promise<void> {
  const at = clock.now();
  if (!product || pricesOfVisit(draft.prices, product, at)) return;
  const shown: SeenPrices = { prices: product.prices, at: at.toISOString() };
  await storePrices(db, draft, { ...draft.prices, [pricedItem(product)]: shown });
}

/** The attendees; if the first is the buyer, with the buyer's name and address (WCAG 2.2, 3.3.7). */
function attendeesOf(draft: Draft, choice: Choice): AttendeeWish[] | null {
  const read = readAttendees(draft.payer, choice.attendees);
  if (!read.ok) return null;
  const payer = readPayer(draft.payer);
  const [first, ...others] = read.data;
  if (!first || !attendsSelf(draft.payer) || !payer.ok) return read.data;
  const { name, email } = payer.data.buyer;
  return [{ ...first, name, email }, ...others];
}

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
