import type { Trx } from '#app/db/client.server.ts';
import type { OfferFacts } from '#app/documents/offer-facts.ts';
import type { LockedCourseDate } from '#app/features/course-dates/seats.server.ts';
import { courseDateWhen } from '#app/features/enrolments/words.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { readSeller } from '#app/features/money/invoices.server.ts';
import { type CoursePrice, quoteOfPrices } from '#app/features/money/pricing.ts';
import { comboRule, courseBoughtAt, type Study } from '#app/features/money/refund.ts';
import { refundRows, refundText } from '#app/features/money/refund-words.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { formatEnd } from '#app/lib/short-dates.ts';
import type { Offer, OfferLine } from './offer.ts';
import { offerName } from './rules.ts';

type Sending = {
  offer: Offer;
  number: number;
  version: number;
  title: string;
  prices: readonly CoursePrice[];
  courseDates: ReadonlyMap<number, LockedCourseDate>;
  /** Until when all its seats are held; null when they are not. */
  heldUntil: Date | null;
};

/** Everything that an offer's PDF and page show of it, as it is when it is sent (P111). */
export async function factsOfOffer(
  trx: Trx,
  { offer, number, version, title, prices, courseDates, heldUntil }: Sending,
  { now, today }: Moment,
): Promise<OfferFacts> {
  const { lines, people } = offer;
  const ways = lines.map(({ choice }) => choice.way);
  const quote = quoteOfPrices(prices, people, ways);
  const { seller } = await readSeller(trx);
  const dates = lines.flatMap(({ choice }) =>
    choice.way === 'date' ? (courseDates.get(choice.courseDateId) ?? []) : [],
  );
  const minimum = dates.find(({ organisationId }) => organisationId !== null)?.minimum ?? 0;
  const group =
    minimum > 1
      ? ` This date is held for ${minimum} people or more: all of them can be cancelled together; for fewer, call us.`
      : '';
  const undecided = dates.some((date) => staysTentative(date, people));
  return {
    version: 1,
    number: offerName(number, version),
    issuedOn: today,
    lastDay: offer.lastDay,
    seller,
    buyer: { name: offer.name, organisation: offer.organisation, abn: offer.abn, address: offer.address },
    title,
    people,
    lines: quote.lines.map((line, at) => ({
      description: line.title,
      detail: detailOf(lines[at], courseDates),
      quantity: people,
      priceCents: line.priceCents,
      discountCents: line.discountCents,
      discount: line.discount,
      amountCents: line.totalCents,
      later: line.later,
    })),
    totalCents: quote.totalCents,
    gstCents: quote.gstCents,
    words: offer.words,
    held: heldText(dates.length > 0 ? people * dates.length : 0, heldUntil),
    due: `Once you accept, we email the tax invoice. It is due after 14 days, or two business days before the first day if that is sooner.${undecided ? ' Nothing is due for a date before we confirm it.' : ''}${group}`,
    refunds: await refundsOf(trx, { offer, prices, courseDates }, now),
  };
}

const staysTentative = ({ state, minimum, sold }: LockedCourseDate, people: number): boolean =>
  state === 'tentative' && sold + people < minimum;

function detailOf(line: OfferLine | undefined, courseDates: ReadonlyMap<number, LockedCourseDate>): string {
  if (line?.choice.way === 'guided') {
    const { from } = line.choice;
    return `Guided study from ${formatDay(from)}, with access until ${formatDay(accessEndsOn(from))}`;
  }
  const date = line?.choice.way === 'date' ? courseDates.get(line.choice.courseDateId) : undefined;
  return date ? `${courseDateWhen(date)}, ${deliveryText(date)}` : 'On its next date';
}

function heldText(seats: number, until: Date | null): string {
  if (seats === 0) return '';
  const them = seats === 1 ? 'The seat is' : 'The seats are';
  if (until === null)
    return `${them} not held: accepting takes ${seats === 1 ? 'it if it is' : 'them if they are'} free.`;
  const held = seats === 1 ? 'We hold the seat' : `We hold ${seats} seats`;
  return `${held} until ${formatEnd(until)}, Brisbane time; after that, accepting takes ${seats === 1 ? 'it if it is' : 'them if they are'} still free.`;
}

/** What comes back for each person by date, if the offer is accepted at an instant (P31, P100). */
async function refundsOf(
  trx: Trx,
  { offer, prices, courseDates }: Pick<Sending, 'offer' | 'prices' | 'courseDates'>,
  now: Date,
): Promise<string[]> {
  const remarks: string[] = [];
  const courses = [];
  for (const [at, { choice, title }] of offer.lines.entries()) {
    const study = await studyOf(trx, choice, courseDates, offer.people);
    if (study.way === 'next-date') remarks.push(`${title} has no date yet, and until it has one it costs nothing.`);
    if (study.way === 'date' && study.state === 'tentative')
      remarks.push(`Until the date of ${title} is confirmed, cancelling it is free.`);
    const { priceCents = 0, discountCents = 0 } = prices[at] ?? {};
    courses.push(courseBoughtAt(now, { study, cents: priceCents - discountCents, discountCents }));
  }
  const purchase = { combo: offer.comboId !== null, courses };
  const each = offer.people > 1 ? ' for each person' : '';
  const byDays = purchase.combo || courses[0]?.study.way === 'date';
  const rows = byDays
    ? refundRows(purchase, now).map(
        ({ word, day, cents }) =>
          `${`${word} ${day}`.trim()}: ${cents === 0 ? 'no refund' : `${formatMoney(cents)} back${each}`}.`,
      )
    : [`${each === '' ? '' : 'For each person: '}${refundText(purchase, now)}.`];
  return [...rows, ...remarks, ...(purchase.combo ? [comboRule] : [])];
}

async function studyOf(
  trx: Trx,
  choice: OfferLine['choice'],
  courseDates: ReadonlyMap<number, LockedCourseDate>,
  people: number,
): Promise<Study> {
  if (choice.way === 'guided') {
    const { modules } = await trx
      .selectNoFrom((eb) =>
        eb.fn<number>('jsonb_array_length', [eb.fn('modules_of_course', [eb.val(choice.courseId)])]).as('modules'),
      )
      .executeTakeFirstOrThrow();
    return { way: 'guided', from: choice.from, modules, modulesOpened: 0 };
  }
  const date = choice.way === 'date' ? courseDates.get(choice.courseDateId) : undefined;
  if (!date) return { way: 'next-date' };
  const { startsOn: firstDay, state } = date;
  if (state !== 'tentative') return { way: 'date', firstDay, state };
  return { way: 'date', firstDay, state: staysTentative(date, people) ? 'tentative' : 'confirmed' };
}
