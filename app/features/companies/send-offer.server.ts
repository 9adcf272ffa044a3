import type { Trx } from '#app/db/client.server.ts';
import type { OfferFacts } from '#app/documents/offer-facts.ts';
import { offerSent } from '#app/emails/offers.ts';
import { readQuoteHolds, seatsQuotedTo } from '#app/features/course-dates/draft-holds.server.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import {
  endHold,
  holdSeats,
  type LockedCourseDate,
  labelHolds,
  lockCourseDates,
} from '#app/features/course-dates/seats.server.ts';
import { tooManyUnpaid } from '#app/features/enrolments/limits.server.ts';
import { type Unplaceable, unplaceable } from '#app/features/enrolments/placeable.ts';
import { shownDate } from '#app/features/enrolments/words.ts';
import { takeNumber } from '#app/features/money/document-numbers.server.ts';
import { readProduct } from '#app/features/money/price-ledger.server.ts';
import { agreedPrices, type CoursePrice, lowerPrices, quoteOfPrices } from '#app/features/money/pricing.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays, formatDay } from '#app/lib/dates.ts';
import { dayMs, hourMs } from '#app/lib/durations.ts';
import { formatMoney } from '#app/lib/money.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { makeLink } from '#app/outbox/private-links.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { offerLink, pageToken } from './links.server.ts';
import { discountOf, type Offer, type OfferLine } from './offer.ts';
import { factsOfOffer } from './offer-facts.server.ts';
import { offeredTo } from './organisations.server.ts';
import { datesOfLines, readOffer } from './queries.server.ts';
import { mayBe, quoteHours } from './rules.ts';

export type OfferSent = { ok: true; number: number; version: number; token: string };

/** Why an offer was not sent. */
export type NotSent =
  | Unplaceable
  /** It was sent before, or its former version has ended otherwise. */
  | { ok: false; reason: 'not-a-draft' | 'replaced-meanwhile' }
  /** The course or combo is not sold any more, or begins with an agreement (P28). */
  | { ok: false; reason: 'not-offered' | 'agreement-first' }
  /** Its last day is over. */
  | { ok: false; reason: 'last-day-over' };

type Sending = {
  offerId: number;
  actor: Actor;
  /** The keyed hash of the customer's network, when the customer made it: so their seats are held within limits. */
  network?: string;
  /** The prices first shown in the visit of the customer; today's when they are lower (P28), and for staff. */
  prices?: readonly CoursePrice[];
  /** The stored text of /terms that holds now (P28). */
  termsId: number;
  /** Signs the link by which pages lead to it. */
  secret: string;
  /** Tells its customer; by default with the email of a quote. */
  tell?: (trx: Trx, mailing: Mailing, moment: Moment) => Promise<void>;
};

/**
 * Sends a draft (P111): from now on it is frozen. It fixes prices, terms and the facts of its PDF, holds its seats, ends
 * the version before, takes its number and queues the email, all in the caller's transaction, which a refusal has to undo.
 * Course dates are locked first, then the draft of a checkout, then offers, then the numbers.
 */
export async function sendOffer(trx: Trx, sending: Sending, moment: Moment): Promise<OfferSent | NotSent> {
  const { offerId, actor, secret, termsId, network, tell = mailOffer } = sending;
  requirePermission(actor, 'companies:change');
  const { now, today } = moment;
  const seen = await readOffer(trx, offerId);
  const before = seen?.replaces ? await readOffer(trx, seen.replaces) : null;
  if (!seen) return { ok: false, reason: 'not-a-draft' };
  const lines = [...seen.lines, ...(before?.lines ?? [])];
  const courseDates = await lockCourseDates(trx, [...new Set(datesOfLines(lines))], now);
  await lockOffers(trx, [seen.id, before?.id ?? seen.id]);
  const offer = await readOffer(trx, offerId);
  if (!offer || !mayBe(offer.state, 'send')) return { ok: false, reason: 'not-a-draft' };
  const former = before && (await readOffer(trx, before.id));
  if (former && !mayBe(former.state, 'new-version')) return { ok: false, reason: 'replaced-meanwhile' };
  if (offer.lastDay < today) return { ok: false, reason: 'last-day-over' };

  const courseIds = offer.lines.map(({ choice }) => choice.courseId);
  const product = await readProduct(trx, { comboId: offer.comboId, courseIds }, now);
  if (!product) return { ok: false, reason: 'not-offered' };
  if (product.courses.some(({ jobGuarantee }) => jobGuarantee)) return { ok: false, reason: 'agreement-first' };
  if (former) await replaceOffer(trx, { former, by: offer.id }, { courseDates, at: now });
  const choices = offer.lines.map(({ choice }) => choice);
  const organisationId = offeredTo(offer);
  const standing = { courseDates, held: new Map<number, number>(), seats: offer.people, organisationId, today };
  const refused = unplaceable(choices, product, standing);
  if (refused) return refused;

  const prices = agreedPrices(lowerPrices(sending.prices ?? null, product.prices), discountOf(offer));
  const until = await holdUntil(trx, offer, network, now);
  const holds = await holdLines(trx, offer, { until, courseDates, network, at: now });
  const version = former ? former.version + 1 : 1;
  const number = former?.number ?? (await takeNumber(trx, 'offer'));
  const { title } = product;
  const facts = await factsOfOffer(
    trx,
    { offer, number, version, title, prices, courseDates, heldUntil: holds.size > 0 ? until : null },
    moment,
  );
  for (const [at, line] of offer.lines.entries())
    await freezeLine(trx, { offer, at, line, prices, courseDates, holds });
  const { totalCents } = quoteOfPrices(prices, offer.people);
  await trx
    .updateTable('offers')
    .set({ state: 'sent', number, version, total_cents: totalCents, terms_id: termsId, sent_at: now })
    .set({ facts: JSON.stringify(facts) })
    .where('id', '=', offer.id)
    .execute();
  await labelHolds(trx, [...holds.values()], facts.number);
  const token = await makeLink(trx, { offer_id: offer.id }, pageToken(secret, offer.id));
  await tell(trx, { offer, facts, actor }, moment);
  return { ok: true, number, version, token };
}

/** Locks offers in the order of their ids. */
export async function lockOffers(trx: Trx, ids: readonly number[]): Promise<void> {
  await trx.selectFrom('offers').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
}

type Ending = {
  state: 'declined' | 'over' | 'replaced';
  courseDates: ReadonlyMap<number, LockedCourseDate>;
  at: Date;
  answer?: string | null;
};

/** Ends a locked offer and gives back the seats that are held for it; one that had ended stays as it is, unless replaced. */
export async function endOffer(
  trx: Trx,
  offer: Offer,
  { state, courseDates, at, answer = null }: Ending,
): Promise<void> {
  if (offer.state !== 'sent') return;
  const holdIds = offer.lines.flatMap(({ holdId }) => holdId ?? []);
  for (const { id, courseDateId } of await readQuoteHolds(trx, holdIds, at)) {
    const courseDate = courseDates.get(courseDateId);
    if (courseDate) await endHold(trx, courseDate, id, 'released', at);
  }
  const ended = { state, ended_at: at, answer, attendees: null };
  await trx.updateTable('offers').set(ended).where('id', '=', offer.id).execute();
}

/** Ends a version for the next one, which goes on with who attends and with the request to an employer (P113). */
async function replaceOffer(
  trx: Trx,
  { former, by }: { former: Offer; by: number },
  { courseDates, at }: Pick<Ending, 'courseDates' | 'at'>,
): Promise<void> {
  await endOffer(trx, former, { state: 'replaced', courseDates, at });
  const attendees = former.attendees && JSON.stringify(former.attendees);
  await trx.updateTable('offers').set({ attendees }).where('id', '=', by).where('attendees', 'is', null).execute();
  await trx.updateTable('employer_requests').set({ offer_id: by }).where('offer_id', '=', former.id).execute();
}

/**
 * Until when the seats of an offer are held; null for not at all. Staff say so. A customer's own quote holds them for 48
 * hours, once for each date, while they and what the person has unpaid stay within the limits of P28.
 */
async function holdUntil(trx: Trx, offer: Offer, network: string | undefined, now: Date): Promise<Date | null> {
  const wanted = datesOfLines(offer.lines);
  if (wanted.length === 0) return null;
  const twoDays = new Date(now.getTime() + quoteHours * hourMs);
  const lastDay = instantOf(addDays(offer.lastDay, 1), '00:00', academyZone);
  if (offer.hold === 'no') return null;
  if (offer.hold === 'last-day') return lastDay;
  const until = twoDays < lastDay ? twoDays : lastDay;
  if (offer.madeBy !== null) return until;
  const seats = wanted.length * offer.people;
  const quoted = await quotedTo(trx, offer, wanted, now);
  const first = quoted.firstMadeAt?.getTime() ?? now.getTime();
  const ends = new Date(Math.min(until.getTime(), first + quoteHours * hourMs));
  if (ends <= now || quoted.seats + seats > mostSeats.person) return null;
  if (network !== undefined && (await seatsQuotedTo(trx, network, now)) + seats > mostSeats.network) return null;
  const asked = { email: offer.mailbox, network: network ?? null, seats: quoted.seats + seats, at: now };
  if (await tooManyUnpaid(trx, asked)) return null;
  return ends;
}

/** The seats held for quotes of one person now, and since when seats of some dates were first held in two weeks. */
async function quotedTo(trx: Trx, { mailbox }: Offer, dates: readonly number[], now: Date) {
  const since = new Date(now.getTime() - 14 * dayMs);
  const rows = await trx
    .selectFrom('offers')
    .innerJoin('offer_lines', 'offer_id', 'offers.id')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .select([
      'seats',
      'seat_holds.ended_at as endedAt',
      'seat_holds.made_at as madeAt',
      'seat_holds.course_date_id as dateId',
    ])
    .select('expires_at as expiresAt')
    .where('mailbox', '=', mailbox)
    .where('offers.made_by', 'is', null)
    .where('seat_holds.made_at', '>', since)
    .execute();
  const open = rows.filter(({ endedAt, expiresAt }) => endedAt === null && expiresAt !== null && expiresAt > now);
  const times = rows.filter(({ dateId }) => dates.includes(dateId)).map(({ madeAt }) => madeAt);
  return {
    seats: open.reduce((sum, one) => sum + one.seats, 0),
    firstMadeAt: times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
  };
}

type Holding = {
  /** Null: they are not held. */
  until: Date | null;
  courseDates: ReadonlyMap<number, LockedCourseDate>;
  network: string | undefined;
  at: Date;
};

/** Holds the seats of each line of an offer; returns the holds by course date. */
async function holdLines(trx: Trx, offer: Offer, { until, courseDates, network, at }: Holding) {
  const holds = new Map<number, number>();
  if (until === null) return holds;
  for (const id of datesOfLines(offer.lines)) {
    const courseDate = courseDates.get(id);
    if (!courseDate) continue;
    const hold = { courseDate, seats: offer.people, purpose: 'quote', at, expiresAt: until } as const;
    const held = await holdSeats(trx, network === undefined ? hold : { ...hold, visitor: network });
    if (!held.ok) throw new Error(`${offer.people} seats of locked course date ${id} were counted as free`);
    holds.set(id, held.holdId);
  }
  return holds;
}

type Freezing = {
  offer: Offer;
  at: number;
  line: OfferLine;
  prices: readonly CoursePrice[];
  courseDates: ReadonlyMap<number, LockedCourseDate>;
  holds: ReadonlyMap<number, number>;
};

/** Fixes the price of a line, what its date is, and which hold keeps its seats. */
async function freezeLine(trx: Trx, { offer, at, line, prices, courseDates, holds }: Freezing): Promise<void> {
  const price = prices[at];
  if (!price) throw new Error(`line ${at} of offer ${offer.id} has no price`);
  const dateId = line.choice.way === 'date' ? line.choice.courseDateId : null;
  const date = dateId === null ? undefined : courseDates.get(dateId);
  await trx
    .updateTable('offer_lines')
    .set({
      price_id: price.priceId,
      price_cents: price.priceCents,
      discount_cents: price.discountCents,
      discount: price.discount,
      shown: date ? shownDate(date) : null,
      hold_id: dateId === null ? null : (holds.get(dateId) ?? null),
    })
    .where('offer_id', '=', offer.id)
    .where('position', '=', at)
    .execute();
}

export type Mailing = { offer: Offer; facts: OfferFacts; actor: Actor };

async function mailOffer(trx: Trx, { offer, facts, actor }: Mailing, { academy }: Moment): Promise<void> {
  const link = offerLink(offer.id);
  await queueMail(trx, {
    kind: 'offer-sent',
    about: { kind: 'offer', id: offer.id },
    links: [link],
    to: offer.email,
    replyTo: academy.email,
    ...offerSent({
      number: facts.number,
      title: facts.title,
      people: facts.people,
      lines: facts.lines.map(({ description, detail }) => ({ description, detail })),
      total: `${formatMoney(facts.totalCents)} incl. GST`,
      lastDay: formatDay(facts.lastDay),
      held: facts.held,
      byStaff: actor.kind === 'staff',
      link: placeholderOf(link),
      academy,
    }),
  });
}
