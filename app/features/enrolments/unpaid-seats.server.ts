import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { accountsOf } from '#app/features/money/accounts.server.ts';
import { balanceOf } from '#app/features/money/balance.ts';
import { mailDomainOf } from '#app/lib/mail-domain.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';

/**
 * Seats that may be unpaid; more are a request for staff (P28): of one buyer at any time, of one mail domain, large public
 * providers aside, and of one network within a day.
 */
const mostUnpaidSeats = { buyer: 6, domain: 6, network: 12 } as const;
type UnpaidOf = keyof typeof mostUnpaidSeats;

/** With the seats asked for it would be more than may be unpaid; `unpaidSeats` are those without them. */
export type TooManyUnpaid = { ok: false; reason: 'too-many-unpaid'; of: UnpaidOf; unpaidSeats: number };

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
    if (key === null) continue;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`unpaid seats of ${of} ${key}`}, 0))`.execute(trx);
    const unpaidSeats = await countUnpaid(trx, of, key, at);
    if (unpaidSeats + seats > mostUnpaidSeats[of]) return { ok: false, reason: 'too-many-unpaid', of, unpaidSeats };
  }
  return null;
}

/** When a place first got a seat: one that was moved to another date is no new seat (P28). */
const firstSeatedAt = sql<Date>`(
  with recursive earlier as (
    select transferred_from, coalesce(dated_at, placed_at) as seated_at from places own where own.id = places.id
    union all
    select before.transferred_from, coalesce(before.dated_at, before.placed_at) from earlier join places before on before.id = earlier.transferred_from
  )
  select min(seated_at) from earlier)`;

const columns = { buyer: 'mailbox', domain: 'mail_domain', network: 'network' } as const;
const dayMs = 24 * 60 * 60 * 1000;

/** Seats in course dates of enrolments that are not paid in full. */
async function countUnpaid(trx: Db, of: UnpaidOf, key: string, at: Date): Promise<number> {
  const since = new Date(at.getTime() - dayMs);
  const taken = await trx
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .select(({ fn }) => ['enrolment_id', fn.countAll<number>().as('seats')])
    .where(columns[of], '=', key)
    .where('state', '=', 'active')
    .where('way', '=', 'date')
    .$if(of !== 'buyer', (query) =>
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
const words: Record<UnpaidOf, (unpaidSeats: number) => string> = {
  buyer: (count) => `${seats(count)} kept for this email address already, and six is the most.`,
  // How many they are is nobody else's business.
  domain: () =>
    'today at most six unpaid seats are kept for all addresses of your mail provider or organisation together.',
  network: () => 'today at most twelve unpaid seats are kept for everybody on your network together.',
};

/** What helps: only whoever has unpaid seats can pay for them first; `pay` is said of those. */
export const whatHelps = ({ of }: TooManyUnpaid, pay: string, others: string): string =>
  of === 'buyer' ? pay : others;

/** A sentence, without its capital, of why further seats may not be unpaid (P28). */
export const unpaidInWords = ({ of, unpaidSeats }: TooManyUnpaid): string => words[of](unpaidSeats);
