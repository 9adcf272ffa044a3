import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { readQuoteHolds } from '#app/features/course-dates/draft-holds.server.ts';
import type { Choice, CourseToChoose, ProductToChoose } from '#app/features/enrolments/enrolling/choice.ts';
import { readProductToChoose } from '#app/features/enrolments/enrolling/open-draft.server.ts';
import { agreedPrices, type ChoicePrice, lowerPrices, quoteOfPrices } from '#app/features/money/pricing.ts';
import { withPrivateDates } from '#app/features/snapshot/private-dates.server.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { formatEnd } from '#app/lib/short-dates.ts';
import { offerPath, pageToken } from './links.server.ts';
import { discountOf, type Offer, type OfferLine } from './offer.ts';
import { datesOfLines, findNewerVersion } from './queries.server.ts';
import { type LineTrouble, type OfferState, stateOn } from './rules.ts';

/** What stands in the way of accepting a line as it was sent, and the nearest dates with seats for all of its people. */
export type TroubledLine = {
  title: string;
  trouble: LineTrouble;
  /** Seats left on its date, those held for it included. */
  left: number;
  nearest: { days: string; place: string; seats: number; quote: string }[];
};

export type OfferNow = {
  state: OfferState;
  /** The course or combo as it is sold now, and how this offer takes it; null when it is not sold any more. */
  product: ProductToChoose | null;
  choice: Choice;
  /** What accepting costs now: its own prices, or today's when they are lower (P111). */
  quote: ChoicePrice;
  /** The total that was offered, where it has fallen since; otherwise null. */
  fellFromCents: number | null;
  /** Until when all its seats are held, in words; null when they are not. */
  heldUntil: string | null;
  troubles: TroubledLine[];
  /** Where the version that followed it is; null while there is none. */
  newer: string | null;
  /** Where a new quote for the same is made, and where an employer is asked for it (P113). */
  again: string;
  askEmployer: string;
};

/** An offer that was sent, as it stands now (P111). Reading it writes nothing. */
export async function readOfferNow(
  { db, clock, academy, forms }: Academy,
  snapshot: Snapshot,
  offer: Offer,
): Promise<OfferNow> {
  const { now, today } = momentOf({ clock, academy });
  const holds = await readQuoteHolds(
    db,
    offer.lines.flatMap(({ holdId }) => holdId ?? []),
    now,
  );
  const own = new Map(holds.map(({ courseDateId, seats }) => [courseDateId, seats]));
  const combo = snapshot.combos.find(({ id }) => id === offer.comboId);
  const item = combo ? `combo:${combo.slug}` : offer.comboId === null ? `course:${offer.lines[0]?.slug}` : '';
  const courseDates = await withPrivateDates(db, snapshot, datesOfLines(offer.lines));
  const product = await readProductToChoose(db, { ...snapshot, courseDates }, item, { now, own });
  const offered = offer.lines.map(({ price }) => price);
  const todays = product && agreedPrices(product.prices, discountOf(offer));
  const prices = todays ? lowerPrices(offered, todays) : offered;
  const ways = offer.lines.map(({ choice }) => choice.way);
  const quote = quoteOfPrices(prices, offer.people, ways);
  const newer = await findNewerVersion(db, offer);
  const dates = offer.lines.filter(({ choice }) => choice.way === 'date').length;
  const [kind = '', slug = ''] = item.split(':');
  return {
    state: stateOn(offer, today),
    product,
    choice: { choices: offer.lines.map(({ choice }) => choice), attendees: offer.people },
    quote,
    fellFromCents: quote.totalCents < offer.totalCents ? offer.totalCents : null,
    heldUntil:
      dates > 0 && holds.length === dates
        ? await firstEnd(
            db,
            holds.map(({ id }) => id),
          )
        : null,
    troubles: offer.lines.flatMap((line) =>
      troubleOf(line, { product, courseDates, listed: snapshot.courseDates, people: offer.people }),
    ),
    newer: newer && offerPath(pageToken(forms.secret, newer.id)),
    again:
      slug === ''
        ? href('/courses')
        : `${href('/quote')}?${new URLSearchParams({ [kind]: slug, people: String(offer.people) })}`,
    askEmployer:
      slug === '' ? href('/ask-employer') : `${href('/ask-employer')}?${new URLSearchParams({ [kind]: slug })}`,
  };
}

async function firstEnd(db: Db, holdIds: readonly number[]): Promise<string | null> {
  const row = await db
    .selectFrom('seat_holds')
    .select('expires_at')
    .where('id', 'in', holdIds)
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .executeTakeFirst();
  return row?.expires_at ? formatEnd(row.expires_at) : null;
}

type Around = {
  product: ProductToChoose | null;
  /** Those of the offer, private ones among them (P114), and those in public. */
  courseDates: readonly CourseDate[];
  listed: readonly CourseDate[];
  people: number;
};

function troubleOf(
  { title, choice, shown }: OfferLine,
  { product, courseDates, listed, people }: Around,
): TroubledLine[] {
  const course = product?.courses.find(({ id }) => id === choice.courseId);
  const found = (trouble: LineTrouble, left = 0): TroubledLine[] => [
    { title, trouble, left, nearest: nearestOf(course, { listed, people }) },
  ];
  if (choice.way === 'next-date') return course ? [] : found('closed');
  if (choice.way === 'guided') return course?.mondays.includes(choice.from) ? [] : found('closed');
  const date = course?.dates.find(({ courseDateId }) => courseDateId === choice.courseDateId);
  if (!date) {
    const known = courseDates.find(({ id }) => id === choice.courseDateId);
    return found(known?.state === 'cancelled' ? 'cancelled' : 'closed');
  }
  if (shown !== null && date.shown !== shown) return found('changed', date.seats);
  return date.seats < people ? found('full', date.seats) : [];
}

/** The first three public dates of a course with seats for so many people. */
const nearestOf = (
  course: CourseToChoose | undefined,
  { listed, people }: Pick<Around, 'listed' | 'people'>,
): TroubledLine['nearest'] =>
  (course?.dates ?? [])
    .filter(({ seats, courseDateId }) => seats >= people && listed.some(({ id }) => id === courseDateId))
    .slice(0, 3)
    .map(({ slug, days, place, seats }) => ({
      days,
      place,
      seats,
      quote: `${href('/quote')}?${new URLSearchParams({ courseDate: slug, people: String(people) })}`,
    }));
