import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { foldedWords } from '#app/features/catalogue/folding.ts';
import { type Actor, requirePermission } from '#app/features/people/actor.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { matchWords, openInvoicesOf } from './accounts.server.ts';
import { dividePayment } from './divide-payment.server.ts';
import { duesOf, type OpenInvoice } from './open-invoice.ts';
import { allReferencesIn, type Match, nearNumbers, nearReferences, referencesIn } from './references.ts';
import { type Arrival, keyOf, type Owing, possibleDebts, type Suggestion, suggestionsFor } from './suggestions.ts';

/** More enrolments of one name or one amount say nothing. */
const mostOfName = 12;
const mostOfAmount = 3;
const mostOfBuyer = 9;

/** The suggestions for payments without an enrolment (P83), in their order. Only reads. */
export async function suggestFor(db: Db, arrivals: readonly Arrival[]): Promise<Suggestion[][]> {
  const found = await findOwing(db, arrivals);
  const owing = await readOwing(db, [...new Set([...found.values()].flat())]);
  const looked = arrivals.map((arrival, at) =>
    possibleDebts(
      arrival,
      (found.get(at) ?? []).flatMap((id) => owing.get(id) ?? []),
    ),
  );
  const open = await openInvoicesOf(db, [...new Set(looked.flat().map(({ id }) => id))]);
  const suggested = arrivals.map((arrival, at) => {
    const own = (looked[at] ?? []).map((one) => ({ ...one, invoices: (open.get(one.id) ?? []).map(invoiceOf) }));
    return suggestionsFor(arrival, own);
  });
  return unlessOthersAreNamed(db, arrivals, suggested);
}

/** A named enrolment that owes nothing is no suggestion; then no suggestion without it is sure. */
async function unlessOthersAreNamed(
  db: Db,
  arrivals: readonly Arrival[],
  suggested: readonly Suggestion[][],
): Promise<Suggestion[][]> {
  const named = await matchWords(
    db,
    arrivals.map(({ words }) => words),
  );
  return suggested.map((its, at) =>
    its.map((one) => ({ ...one, sure: one.sure && holdsAll(one, named[at] ?? { kind: 'none' }) })),
  );
}

function holdsAll({ shares }: Suggestion, match: Match): boolean {
  const holds = (id: number) => shares.some(({ enrolmentId }) => enrolmentId === id);
  switch (match.kind) {
    case 'none':
      return true;
    case 'one':
    case 'settled':
      return holds(match.enrolment.id);
    case 'several':
      return match.enrolments.every(({ id }) => holds(id));
    case 'contradicting':
      return match.references.every((named) =>
        shares.some(({ reference }) => nearReferences(named).includes(reference)),
      );
  }
}

const invoiceOf = (invoice: OpenInvoice) => ({
  number: Number(invoice.facts.number.replace(/\D/g, '')),
  openCents: invoice.openCents,
  // The page asks for the first instalment, or for several once they are due.
  nextCents: runningSums(duesOf(invoice).map(({ cents }) => cents)),
});

const runningSums = (amounts: readonly Cents[]): Cents[] =>
  amounts.map((_, at) => amounts.slice(0, at + 1).reduce((sum, cents) => sum + cents, 0));

/** The enrolments on which something is owed that may be meant, by the place of the payment. */
async function findOwing(db: Db, arrivals: readonly Arrival[]): Promise<Map<number, number[]>> {
  const asked = arrivals.map(({ amountCents, words }, at) => ({ at, cents: amountCents, names: nameQuery(words) }));
  const references = arrivals.flatMap(({ words }, at) => referencesOf(words).map((reference) => ({ at, reference })));
  const numbers = arrivals.flatMap(({ words }, at) => numbersOf(words).map((number) => ({ at, number })));
  const column = <Row, Value>(rows: readonly Row[], of: (row: Row) => Value) => rows.map(of);
  const { rows } = await sql<{ at: number; id: number }>`
    with asked as (
      select * from unnest(${column(asked, ({ at }) => at)}::integer[], ${column(asked, ({ cents }) => cents)}::bigint[],
        ${column(asked, ({ names }) => names)}::text[]) as a(at, cents, names)
    ), meant as (
      select at, its.id from unnest(${column(references, ({ at }) => at)}::integer[],
          ${column(references, ({ reference }) => reference)}::text[]) as r(at, wanted)
        -- One look into the index for each; the planner would rather read all enrolments.
        , lateral (select id from enrolments where reference = r.wanted limit 1) as its
      union
      select at, enrolment_id from unnest(${column(numbers, ({ at }) => at)}::integer[],
          ${column(numbers, ({ number }) => number)}::integer[]) as n(at, wanted)
        join tax_invoices invoice on invoice.number = n.wanted
      union
      select at, its.enrolment_id from asked, lateral (
        select enrolment_id from enrolment_list where balance_cents = asked.cents and cents > 0
        order by enrolment_id desc limit ${mostOfAmount}) as its
      union
      select at, its.enrolment_id from asked, lateral (
        select enrolment_id from enrolment_list
        where words @@ asked.names::tsquery and balance_cents > 0 and asked.names <> ''
        -- Those that fit the amount first: left out, another one would look as if it were the only one.
        order by balance_cents = asked.cents desc, enrolment_id desc limit ${mostOfName}) as its
    ), owing as (
      select at, meant.id, enrolment.mailbox from meant
        join enrolment_list list on list.enrolment_id = meant.id and balance_cents > 0
        join enrolments enrolment on enrolment.id = meant.id
    )
    select at, id from owing
    union
    -- What else their buyers owe: one transfer may be for several.
    select at, its.id from (select distinct at, cents, mailbox from owing join asked using (at)) as buyer, lateral (
      select enrolment.id from enrolments enrolment join enrolment_list list on list.enrolment_id = enrolment.id
      where enrolment.mailbox = buyer.mailbox and balance_cents > 0
      order by balance_cents = buyer.cents desc, enrolment.id desc limit ${mostOfBuyer}) as its
    order by at, id`.execute(db);
  return new Map([...Map.groupBy(rows, ({ at }) => at)].map(([at, its]) => [at, its.map(({ id }) => id)]));
}

/** Without their invoices, which cost more to read. */
async function readOwing(db: Db, ids: readonly number[]): Promise<Map<number, Owing>> {
  const rows = await db
    .selectFrom('enrolments')
    .innerJoin('enrolment_list', 'enrolment_id', 'enrolments.id')
    .select(['enrolments.id', 'reference', 'buyer_name as buyer', 'organisation', 'mailbox'])
    .select('balance_cents as balanceCents')
    .where('enrolments.id', 'in', [0, ...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, invoices: [] }]));
}

/** A long row of letters behind BB in something that is no reference would ask for thousands. */
const mostNear = 2000;
const referencesOf = (words: string) =>
  [...new Set([...allReferencesIn(words), ...nearReferences(words)])].slice(0, mostNear);
const numbersOf = (words: string) =>
  [...new Set([...referencesIn(words).invoices, ...nearNumbers(words)])]
    .filter((one) => one < 2 ** 31)
    .slice(0, mostNear);

/** Words that banks put before a name. */
const bankWords = new Set(
  'transfer from payment deposit direct credit fast osko eft internet banking pty ltd limited ref reference invoice inv'.split(
    ' ',
  ),
);
const mostWords = 12;

/** Two words of a name beside each other, in the database's language for searches; empty when there is none. */
function nameQuery(text: string): string {
  const words = foldedWords(text)
    .filter((word) => !bankWords.has(word) && !/\d/.test(word) && word.length > 1)
    .slice(0, mostWords);
  const quoted = words.map((word) => `'${word}'`);
  if (quoted.length < 2) return quoted.join('');
  return quoted
    .slice(1)
    .map((word, at) => `${quoted[at]} & ${word}`)
    .join(' | ');
}

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
 * Accepts suggestions (P83): each payment goes to its enrolments as shown. A suggestion that is no longer right is
 * left: the payment got an enrolment, what is owed has changed, or, with `sureOnly`, another suggestion now fits as
 * well.
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
