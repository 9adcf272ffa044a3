import type { Db } from '#app/db/client.server.ts';
import type { Player } from '#app/features/people/players.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { type AccountTarget, accountTokens } from '#app/outbox/private-links.server.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { type MoneyRecords, readMoneyRecordsOf } from './money-records.server.ts';
import { readEnrolments } from './queries.server.ts';
import type { Preferences } from './waiting/preferences.ts';
import { hasNoOffer } from './waiting/queries.server.ts';

/** More are never shown on one page; the newest are. */
const mostEnrolments = 60;

/** The enrolments of a player. */
type Bought = { enrolment: Enrolment; money: MoneyRecords; token: string };
/** A place that a player attends, with the reference of its enrolment. */
export type Attended = { place: Place; reference: string; token: string };
/** An offer from a waiting list that waits for an answer. */
type Offered = { token: string; title: string; until: Date };
/** An entry of a waiting list without an offer. `courseDate` is null on a course's list. */
type Waiting = {
  token: string;
  title: string;
  courseDate: { startsOn: Day; endsOn: Day } | null;
  seats: number;
  preferences: Preferences;
  confirmed: boolean;
};

/**
 * Everything a player's account is made of but their records of study, with tokens of the private pages it leads to.
 */
export type AccountRecords = { bought: Bought[]; attended: Attended[]; offers: Offered[]; waiting: Waiting[] };

/**
 * Reads the account as of one moment, apart from the tokens: only enrolments the player bought and places they attend.
 */
export async function readAccount(
  db: Db,
  { person, signIn }: Player,
  { secret, now }: Pick<Moment, 'now'> & { secret: string },
): Promise<AccountRecords> {
  const { enrolments, attendees, money, offers, waiting } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const attendees = await trx
        .selectFrom('attendees')
        .select(['id', 'enrolment_id'])
        .where('person_id', '=', person.id)
        .orderBy('id', 'desc')
        .limit(mostEnrolments)
        .execute();
      const own = await trx
        .selectFrom('enrolments')
        .select('id')
        .where('person_id', '=', person.id)
        .orderBy('placed_at', 'desc')
        .limit(mostEnrolments)
        .execute();
      const bought = new Set(own.map(({ id }) => id));
      const all = new Set([...bought, ...attendees.map(({ enrolment_id }) => enrolment_id)]);
      const enrolments = await readEnrolments(trx, [...all]);
      const money = await readMoneyRecordsOf(trx, [...bought], now);
      const offers = await readOffers(trx, person.id, now);
      return { enrolments, attendees, money, offers, waiting: await readWaiting(trx, person.id) };
    });
  const bought = enrolments.flatMap((enrolment) => {
    const its = money.get(enrolment.id);
    return its ? { enrolment, money: its } : [];
  });
  const attended = enrolments.flatMap(({ id: enrolmentId, reference, places }) =>
    attendees.flatMap(({ id: attendeeId }) =>
      places
        .filter(({ attendee, cancelledWhy }) => attendee.id === attendeeId && cancelledWhy !== 'transfer')
        .map((place) => ({ place, reference, enrolmentId, attendeeId })),
    ),
  );
  const targets: AccountTarget[] = [
    ...bought.map(({ enrolment }) => ({ enrolmentId: enrolment.id })),
    ...attended.map(({ enrolmentId, attendeeId }) => ({ enrolmentId, attendeeId })),
    ...[...offers, ...waiting].map(({ id }) => ({ waitingEntryId: id })),
  ];
  const tokens = await accountTokens(db, { signInId: signIn.id, secret }, targets);
  const tokenAt = (at: number) => tokens[at] ?? '';
  return {
    bought: bought.map((one, at) => ({ ...one, token: tokenAt(at) })),
    attended: attended.map(({ place, reference }, at) => ({ place, reference, token: tokenAt(bought.length + at) })),
    offers: offers.map(({ title, until }, at) => ({
      title,
      until,
      token: tokenAt(bought.length + attended.length + at),
    })),
    waiting: waiting.map(({ id: _, ...entry }, at) => ({
      ...entry,
      token: tokenAt(bought.length + attended.length + offers.length + at),
    })),
  };
}

/** The open offers to a person, sorted by their end. */
async function readOffers(db: Db, personId: number, now: Date) {
  const rows = await db
    .selectFrom('waiting_entries')
    .innerJoin('waiting_offers', 'waiting_offers.entry_id', 'waiting_entries.id')
    .innerJoin('seat_holds', 'seat_holds.id', 'hold_id')
    .innerJoin('courses', 'courses.id', 'waiting_entries.course_id')
    .select(['waiting_entries.id', 'courses.title', 'seat_holds.expires_at'])
    .where('waiting_entries.person_id', '=', personId)
    .where('waiting_offers.ended_at', 'is', null)
    .where('waiting_entries.closed_at', 'is', null)
    .orderBy('expires_at')
    .execute();
  return rows.flatMap(({ id, title, expires_at: until }) => (until && until > now ? [{ id, title, until }] : []));
}

/** The open entries of a person's own on waiting lists, the latest first. Places that were bought are shown as such. */
async function readWaiting(db: Db, personId: number) {
  const rows = await db
    .selectFrom('waiting_entries')
    .innerJoin('courses', 'courses.id', 'waiting_entries.course_id')
    .leftJoin('course_dates', 'course_dates.id', 'course_date_id')
    .select(['waiting_entries.id', 'courses.title', 'starts_on', 'ends_on', 'seats', 'weeks', 'waiting_entries.venue'])
    .select('confirmed_at')
    .where('person_id', '=', personId)
    .where('enrolment_id', 'is', null)
    .where('closed_at', 'is', null)
    .where(hasNoOffer)
    .orderBy('joined_at', 'desc')
    .orderBy('waiting_entries.id', 'desc')
    .limit(mostEnrolments)
    .execute();
  return rows.map(({ id, title, starts_on: startsOn, ends_on: endsOn, seats, weeks, venue, confirmed_at }) => ({
    ...{ id, title, seats },
    courseDate: startsOn !== null && endsOn !== null ? { startsOn, endsOn } : null,
    preferences: { weeks, venue },
    confirmed: confirmed_at !== null,
  }));
}
