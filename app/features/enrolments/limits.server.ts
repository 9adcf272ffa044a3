import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { forgetHoldNetworks } from '#app/features/course-dates/draft-holds.server.ts';
import { mostSeats } from '#app/features/course-dates/rules.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { dayMs } from '#app/lib/durations.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { addressHash } from '#app/outbox/address-hash.server.ts';
import { countMail, countWithin, hasRoom, type MailLimit, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import type { Enrolment, Place } from './enrolment.ts';

/** Limits on changes that a buyer makes by the private link. Staff have none. */

/** How many mails a day tell one mailbox that one buyer gave it a place; other buyers are counted apart. */
const mostGiven = 2;
const givenLimits: readonly MailLimit[] = [{ most: mostGiven, hours: 24 }];
/** How often one buyer has one mailbox asked in a day whether invoices may be sent to it. */
const mostAsked = 2;
export const askedLimits: readonly MailLimit[] = [{ most: mostAsked, hours: 24 }];
/** Corrections of one enrolment that replace its invoices (P30): in a day, and in all. */
const mostCorrectionsOfDay = 3;
const mostCorrections = 10;
/** Changes of one enrolment in a day that send mail to others; more for many attendees. */
const mostChanges = 10;

/** The private link has reached its limit for changes that send mail to others (P24); nothing was written. */
export type TooManyMails = {
  ok: false;
  reason: 'too-many-mails';
  of: 'changes' | 'given' | 'asked' | 'corrections' | 'all-corrections';
  most: number;
};
const tooMany = (of: TooManyMails['of'], most: number): TooManyMails => ({
  ok: false,
  reason: 'too-many-mails',
  of,
  most,
});

type Limited = Pick<Enrolment, 'id' | 'email' | 'places'>;

/** The key of a mailbox that this buyer gives places; null for nobody, and for the buyer's own. */
async function keyOfGiven(trx: Trx, { email }: Limited, address: string | null): Promise<string | null> {
  if (address === null || mailboxOf(address) === mailboxOf(email)) return null;
  return mailboxKey(trx, await givenBy(trx, 'place-given', email), address);
}

/** Acts of a buyer towards others are counted by the buyer, so a stranger uses up nothing of theirs. */
export const givenBy = async (trx: Trx, kind: 'place-given' | 'accounts-address', buyer: string): Promise<string> =>
  `${kind} by ${await addressHash(trx, mailboxOf(buyer))}`;

/**
 * Counts a buyer's change of a locked enrolment that sends mail to others. If the change gives somebody a place, it
 * also checks whether that address may get one more today.
 */
export async function countChange(
  trx: Trx,
  enrolment: Limited,
  address: string | null,
  at: Date,
): Promise<TooManyMails | null> {
  const given = await keyOfGiven(trx, enrolment, address);
  if (given && !(await hasRoom(trx, new Map([[given, { limits: givenLimits }]]), at))) {
    return tooMany('given', mostGiven);
  }
  const attendees = new Set(enrolment.places.flatMap(({ state, attendee }) => (state === 'active' ? attendee.id : [])));
  const most = Math.max(mostChanges, attendees.size * 2);
  const counted = await countWithin(trx, `enrolment-changes:${enrolment.id}`, [{ most, hours: 24 }], at);
  return counted ? null : tooMany('changes', most);
}

/** Counts that a place is given to an address, after `countChange`. */
export async function countGiven(trx: Trx, enrolment: Limited, address: string | null, at: Date): Promise<void> {
  const key = await keyOfGiven(trx, enrolment, address);
  if (key) await countMail(trx, key, at);
}

/**
 * Counts the addresses to which a new enrolment gives places. Returns the attendees who get no email because their
 * mailbox was given two places within a day: the enrolment is kept, and they get their link when they ask for it.
 */
export async function countAllGiven(
  trx: Trx,
  enrolment: Limited,
  places: readonly Place[],
  at: Date,
): Promise<Set<number>> {
  const attendees = new Map(places.map(({ attendee: { id, email } }) => [id, email]));
  const keys = new Map<number, string>();
  for (const [id, email] of attendees) {
    const key = await keyOfGiven(trx, enrolment, email);
    if (key) keys.set(id, key);
  }
  // All are locked in one order first.
  await hasRoom(trx, new Map([...keys.values()].map((key) => [key, { limits: [] }])), at);
  const untold = new Set<number>();
  for (const [id, key] of keys) if (!(await countWithin(trx, key, givenLimits, at))) untold.add(id);
  return untold;
}

/** Whether we may ask a mailbox again today whether invoices may be sent to it. */
export async function canBeAsked(
  trx: Trx,
  { address, buyer }: { address: string; buyer: string },
  at: Date,
): Promise<TooManyMails | null> {
  const key = await mailboxKey(trx, await givenBy(trx, 'accounts-address', buyer), address);
  return (await hasRoom(trx, new Map([[key, { limits: askedLimits }]]), at)) ? null : tooMany('asked', mostAsked);
}

/** Counts a buyer's correction that replaces invoices of a locked enrolment. */
export async function countCorrection(trx: Trx, enrolmentId: number, at: Date): Promise<TooManyMails | null> {
  const { corrections } = await trx
    .selectFrom('enrolments')
    .select('corrections')
    .where('id', '=', enrolmentId)
    .executeTakeFirstOrThrow();
  if (corrections >= mostCorrections) return tooMany('all-corrections', mostCorrections);
  const key = `corrections:${enrolmentId}`;
  const limits = [{ most: mostCorrectionsOfDay, hours: 24 }];
  if (!(await hasRoom(trx, new Map([[key, { limits }]]), at))) return tooMany('corrections', mostCorrectionsOfDay);
  await countMail(trx, key, at);
  await trx
    .updateTable('enrolments')
    .set((row) => ({ corrections: row('corrections', '+', 1) }))
    .where('id', '=', enrolmentId)
    .execute();
  return null;
}

/** How long the network from which an enrolment was placed is kept, as a keyed hash; /privacy says the same. */
export const networkKeptMs = 7 * dayMs;

/** Takes the hashes of networks off enrolments after a week and off holds after some hours. */
export async function forgetNetworks(db: Db, at: Date): Promise<void> {
  await forgetHoldNetworks(db, at);
  await db
    .updateTable('enrolments')
    .set({ network: null })
    .where('network', 'is not', null)
    .where('placed_at', '<', new Date(at.getTime() - networkKeptMs))
    .execute();
}

/**
 * Seats that may be unpaid; more are a request for staff (P28): of one buyer at any time, of one mail domain, large public
 * providers aside, and of one network within a day.
 */
const mostUnpaidSeats = { buyer: mostSeats.person, domain: mostSeats.person, network: mostSeats.network } as const;
type UnpaidOf = keyof typeof mostUnpaidSeats | 'organisation';

/** With the seats asked for it would be more than the `most` that may be unpaid; `unpaidSeats` are those without them. */
export type TooManyUnpaid = { ok: false; reason: 'too-many-unpaid'; of: UnpaidOf; unpaidSeats: number; most: number };

type Wish = {
  email: string;
  /** The keyed hash of the network it is placed from; null when that is not known, or not anybody's own. */
  network: string | null;
  /** Seats in course dates. */
  seats: number;
  at: Date;
};

/**
 * Whether further seats may be unpaid, by buyer, mail domain and network; null when they may. Until the transaction ends,
 * others who place for the same buyer, domain or network wait here, so that two at once are counted one after the other.
 * The locks come after those of course dates and enrolments, always in the order of `mostUnpaidSeats`, so nobody waits for
 * each other. Seats that staff placed count for their buyer only.
 */
export async function tooManyUnpaid(trx: Db, { email, network, seats, at }: Wish): Promise<TooManyUnpaid | null> {
  const counted = { buyer: mailboxOf(email), domain: mailDomainOf(email), network };
  for (const of of ['buyer', 'domain', 'network'] as const) {
    const key = counted[of];
    const most = mostUnpaidSeats[of];
    const refused = key === null ? null : await beyond(trx, { of, key, most, seats, at });
    if (refused) return refused;
  }
  return null;
}

/** Whether further seats go beyond the credit of an organisation that has paid before (P117); null when they do not. */
export const beyondCredit = (
  trx: Db,
  { organisationId, most, seats, at }: { organisationId: number; most: number; seats: number; at: Date },
): Promise<TooManyUnpaid | null> => beyond(trx, { of: 'organisation', key: organisationId, most, seats, at });

type Counting = { of: UnpaidOf; key: string | number; most: number; seats: number; at: Date };

async function beyond(trx: Db, { of, key, most, seats, at }: Counting): Promise<TooManyUnpaid | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`unpaid seats of ${of} ${key}`}, 0))`.execute(trx);
  const unpaidSeats = await countUnpaid(trx, of, key, at);
  return unpaidSeats + seats > most ? { ok: false, reason: 'too-many-unpaid', of, unpaidSeats, most } : null;
}

/** The instant at which a place first got a seat: a move to another date is no new seat (P28). */
const firstSeatedAt = sql<Date>`(
  with recursive earlier as (
    select transferred_from, coalesce(dated_at, placed_at) as seated_at from places own where own.id = places.id
    union all
    select before.transferred_from, coalesce(before.dated_at, before.placed_at) from earlier join places before on before.id = earlier.transferred_from
  )
  select min(seated_at) from earlier)`;

const columns = {
  buyer: 'mailbox',
  domain: 'mail_domain',
  network: 'network',
  organisation: 'enrolments.organisation_id',
} as const;

/** Seats in course dates of enrolments that are not paid in full. */
async function countUnpaid(trx: Db, of: UnpaidOf, key: string | number, at: Date): Promise<number> {
  const since = new Date(at.getTime() - dayMs);
  const taken = await trx
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(({ fn }) => ['enrolment_id', fn.countAll<number>().as('seats')])
    .where(columns[of], '=', key)
    .where('state', '=', 'active')
    .where('way', '=', 'date')
    .$if(of === 'domain' || of === 'network', (query) =>
      query
        .where('changed_at', '>', since)
        .where((row) => row(row.fn.coalesce('places.dated_at', 'places.placed_at'), '>', since))
        .where(firstSeatedAt, '>', since)
        .where('placed_by', 'is', null),
    )
    .groupBy('enrolment_id')
    .execute();
  const accounts = await accountsOf(
    trx,
    taken.map(({ enrolment_id }) => enrolment_id),
  );
  return taken
    .filter(({ enrolment_id }) => balanceOf(accounts.get(enrolment_id) ?? nothing) > 0)
    .reduce((sum, one) => sum + Number(one.seats), 0);
}

const nothing = { invoicedCents: 0, creditedCents: 0, paidCents: 0, refundedCents: 0 };

const seats = (count: number) => (count === 1 ? '1 unpaid seat is' : `${count} unpaid seats are`);
const words: Record<UnpaidOf, (unpaidSeats: number, most: number) => string> = {
  organisation: (count, most) => `${seats(count)} kept for your organisation already, and ${most} is the most agreed.`,
  buyer: (count) => `${seats(count)} kept for this email address already, and six is the most.`,
  // How many they are is nobody else's business.
  domain: () =>
    'today at most six unpaid seats are kept for all addresses of your mail provider or organisation together.',
  network: () => 'today at most twelve unpaid seats are kept for everybody on your network together.',
};

/** What to do: only a buyer with unpaid seats can pay for them first; `pay` is said to those. */
export const whatHelps = ({ of }: TooManyUnpaid, pay: string, others: string): string =>
  of === 'buyer' || of === 'organisation' ? pay : others;

/** A sentence, without its capital, of why further seats may not be unpaid (P28). */
export const unpaidInWords = ({ of, unpaidSeats, most }: TooManyUnpaid): string => words[of](unpaidSeats, most);
