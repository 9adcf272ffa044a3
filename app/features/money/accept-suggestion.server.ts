import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { dividePayment } from './divide-payment.server.ts';
import { suggestFor } from './suggestions.server.ts';
import { keyOf, type Suggestion } from './suggestions.ts';

/** An undivided payment in Australian dollars without an enrolment, with the suggestions for it. */
export type Unmatched = {
  id: number;
  amountCents: Cents;
  receivedOn: Day;
  words: string;
  suggestions: Suggestion[];
};

type Which = { before?: number | null; most: number } | { ids: readonly number[] };

/**
 * The latest payments without an enrolment, with suggestions; remainders of divided payments are left out. The next
 * page goes on `before` the id `next`. A suggestion is not sure if another payment, on any page, fits the same
 * enrolment, or if staff divided the payment by hand or took it from an enrolment.
 */
export async function unmatchedPayments(db: Db, which: Which): Promise<{ payments: Unmatched[]; next: number | null }> {
  const most = 'most' in which ? which.most : which.ids.length;
  const rows = await withoutEnrolment(db)
    .$if('before' in which && which.before !== null, (query) =>
      query.where('id', '<', 'before' in which ? (which.before ?? 0) : 0),
    )
    .$if('ids' in which, (query) => query.where('id', 'in', 'ids' in which ? [0, ...which.ids] : []))
    .limit(most + 1)
    .execute();
  const shown = rows.slice(0, most);
  const suggestions = await suggestFor(db, shown.map(arrivalOf));
  const rivals = await rivalsOf(db, shown, suggestions);
  const sole = onceEach(suggestions, rivals);
  const payments = shown.map(({ by_hand, ...row }, at) => ({
    ...{ id: row.id, amountCents: row.amount_cents, receivedOn: row.received_on, words: row.words ?? '' },
    suggestions: (sole[at] ?? []).map((one) => ({ ...one, sure: one.sure && !by_hand })),
  }));
  return { payments, next: rows.length > most ? (shown.at(-1)?.id ?? null) : null };
}

/** Undivided payments in Australian dollars without an enrolment, the latest first. */
const withoutEnrolment = (db: Db) =>
  db
    .selectFrom('payments')
    .select(['id', 'amount_cents', 'received_on', 'words'])
    .select(
      sql<boolean>`exists (select from audit_entries
        where subject = 'payment:' || payments.id and action = 'divide-payment')`.as('by_hand'),
    )
    .where('enrolment_id', 'is', null)
    .where('set_aside_at', 'is', null)
    .where('currency', '=', 'AUD')
    .where('part_of', 'is', null)
    .where('arrived_cents', 'is', null)
    // Money that was sent back to its payer is for no enrolment any more.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('refunds').select('refunds.id').whereRef('payment_id', '=', 'payments.id'))),
    )
    .orderBy('id', 'desc');

type Row = { id: number; amount_cents: Cents; words: string | null };
const arrivalOf = ({ amount_cents, words }: Row) => ({ amountCents: amount_cents, words: words ?? '' });

/** How many other payments of the same amounts are compared at most. */
const mostRivals = 100;

/** The suggestions for other payments of the same amounts; null where these are too many to compare. */
async function rivalsOf(
  db: Db,
  shown: readonly Row[],
  suggestions: readonly Suggestion[][],
): Promise<Suggestion[][] | null> {
  const amounts = shown.flatMap((row, at) => (suggestions[at]?.some(({ sure }) => sure) ? row.amount_cents : []));
  if (amounts.length === 0) return [];
  const others = await withoutEnrolment(db)
    .where('amount_cents', 'in', amounts)
    .where('id', 'not in', [0, ...shown.map(({ id }) => id)])
    .limit(mostRivals + 1)
    .execute();
  return others.length > mostRivals ? null : suggestFor(db, others.map(arrivalOf));
}

/** Takes `sure` from suggestions for an enrolment that two payments fit: staff decide. */
function onceEach(all: readonly Suggestion[][], rivals: readonly Suggestion[][] | null): Suggestion[][] {
  const counts = new Map<number, number>();
  for (const { shares } of [...all, ...(rivals ?? [])].flat().filter(({ sure }) => sure)) {
    for (const { enrolmentId } of shares) counts.set(enrolmentId, (counts.get(enrolmentId) ?? 0) + 1);
  }
  const isSole = ({ shares }: Suggestion) =>
    rivals !== null && shares.every(({ enrolmentId }) => counts.get(enrolmentId) === 1);
  return all.map((its) => its.map((one) => ({ ...one, sure: one.sure && isSole(one) })));
}

/** A suggestion as a form names it: the payment, and `keyOf` the suggestion that the page showed. */
export type Accepting = { paymentId: number; key: string };
type Accepted = {
  accepted: number[];
  /** Payments whose suggestion was no longer the same. */
  changed: number[];
};

/**
 * Accepts suggestions (P83): each payment goes to its enrolments as it was shown. One that has become wrong meanwhile
 * is left as it is: the payment got an enrolment, what is owed has changed, or, with `sureOnly`, another fits as well
 * now.
 */
export async function acceptSuggestions(
  trx: Trx,
  { wanted, sureOnly, ...by }: { wanted: readonly Accepting[]; sureOnly: boolean; actor: Actor; at: Date },
): Promise<Accepted> {
  requirePermission(by.actor, 'money:record');
  const references = wanted.flatMap(({ key }) => key.match(/BB-[0-9A-Z]{6}/g) ?? []);
  // Everything that changes several enrolments locks them in this order, and payments after them.
  await trx
    .selectFrom('enrolments')
    .select('id')
    .where('reference', 'in', ['', ...references])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const ids = wanted.map(({ paymentId }) => paymentId);
  await trx
    .selectFrom('payments')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
  const { payments } = await unmatchedPayments(trx, { ids });
  const done: Accepted = { accepted: [], changed: [] };
  for (const { paymentId, key } of wanted) {
    const its = payments.find(({ id }) => id === paymentId)?.suggestions ?? [];
    const suggestion = its.find((one) => keyOf(one) === key && (one.sure || !sureOnly));
    const shares = new Map(suggestion?.shares.map(({ enrolmentId, cents }) => [enrolmentId, cents]));
    const divided = suggestion && (await dividePayment(trx, { paymentId, shares, ...by }));
    done[divided?.ok ? 'accepted' : 'changed'].push(paymentId);
  }
  return done;
}
