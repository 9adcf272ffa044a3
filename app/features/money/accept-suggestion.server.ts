import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, demand } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { dividePayment } from './divide-payment.server.ts';
import { suggestFor } from './suggestions.server.ts';
import { keyOf, type Suggestion } from './suggestions.ts';

/** A payment without an enrolment that is whole, in Australian dollars, with what is suggested for it. */
export type Unmatched = {
  id: number;
  amountCents: Cents;
  receivedOn: Day;
  words: string;
  suggestions: Suggestion[];
};

type Which = { before?: number | null; most: number } | { ids: readonly number[] };

/**
 * The latest payments without an enrolment and what is suggested for each; the rest of a payment that was divided is not
 * among them. `next` is the id that the next page continues `before`. Of two payments for one enrolment neither is sure.
 */
export async function unmatchedPayments(db: Db, which: Which): Promise<{ payments: Unmatched[]; next: number | null }> {
  const most = 'most' in which ? which.most : which.ids.length;
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'amount_cents', 'received_on', 'words'])
    .where('enrolment_id', 'is', null)
    .where('currency', '=', 'AUD')
    .where('part_of', 'is', null)
    .where('arrived_cents', 'is', null)
    // What was sent back to whoever paid it is for no enrolment any more.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('refunds').select('refunds.id').whereRef('payment_id', '=', 'payments.id'))),
    )
    .$if('before' in which && which.before !== null, (query) =>
      query.where('id', '<', 'before' in which ? (which.before ?? 0) : 0),
    )
    .$if('ids' in which, (query) => query.where('id', 'in', 'ids' in which ? [0, ...which.ids] : []))
    .orderBy('id', 'desc')
    .limit(most + 1)
    .execute();
  const shown = rows.slice(0, most);
  const arrivals = shown.map(({ amount_cents, words }) => ({ amountCents: amount_cents, words: words ?? '' }));
  const suggestions = onceEach(await suggestFor(db, arrivals));
  const payments = shown.map(({ id, amount_cents, received_on, words }, at) => ({
    ...{ id, amountCents: amount_cents, receivedOn: received_on, words: words ?? '' },
    suggestions: suggestions[at] ?? [],
  }));
  return { payments, next: rows.length > most ? (shown.at(-1)?.id ?? null) : null };
}

/** Where two payments would be for one enrolment, a person says which. */
function onceEach(all: readonly Suggestion[][]): Suggestion[][] {
  const claims = all.flat().filter(({ sure }) => sure);
  const counts = new Map<number, number>();
  for (const { shares } of claims) {
    for (const { enrolmentId } of shares) counts.set(enrolmentId, (counts.get(enrolmentId) ?? 0) + 1);
  }
  return all.map((its) =>
    its.map((one) => ({
      ...one,
      sure: one.sure && one.shares.every(({ enrolmentId }) => counts.get(enrolmentId) === 1),
    })),
  );
}

/** A suggestion as a form names it: the payment, and `keyOf` what was shown. */
export type Accepting = { paymentId: number; key: string };
type Accepted = {
  accepted: number[];
  /** Payments whose suggestion was no longer the same. */
  changed: number[];
};

/**
 * Accepts suggestions (P83): each payment goes to its enrolments as it was shown. One that has become wrong meanwhile is
 * left as it is: the payment got an enrolment, what is owed has changed, or, with `sureOnly`, another fits as well now.
 */
export async function acceptSuggestions(
  trx: Trx,
  { wanted, sureOnly, ...by }: { wanted: readonly Accepting[]; sureOnly: boolean; actor: Actor; at: Date },
): Promise<Accepted> {
  demand(by.actor, 'money:record');
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
