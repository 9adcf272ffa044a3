import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import {
  accountsOf,
  documentsOfAll,
  type MoneyDocument,
  noAccount,
  openInvoicesOf,
} from '#app/features/money/accounts.server.ts';
import { type Account, balanceOf } from '#app/features/money/balance.ts';
import { cardPaymentsOnTheirWay, disputedOf } from '#app/features/money/card/checkout-state.server.ts';
import type { OpenInvoice } from '#app/features/money/open-invoice.ts';
import type { Player } from '#app/features/people/players.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { type AccountTarget, accountTokens } from '#app/outbox/private-links.server.ts';
import type { Enrolment, Place } from './enrolment.ts';
import { readEnrolments } from './queries.server.ts';
import { hasNoOffer } from './waiting/queries.server.ts';
import type { Preferences } from './waiting/rules.ts';

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

/** A tax invoice or an adjustment note of an enrolment, as its buyer sees it. */
type ShownDocument = {
  /** Its name in mails and downloads, such as `tax-invoice:12`. */
  document: string;
  kind: 'tax-invoice' | 'adjustment-note';
  /** Such as `INV-00042`. */
  number: string;
  issuedOn: Day;
  totalCents: Cents;
  /** Of an adjustment note. */
  reason: string | null;
  /** The number of the note that credited the rest of an invoice with nothing left; null otherwise. */
  cancelledBy: string | null;
};

/** The money of an enrolment (P32, P39), in cents, GST included. */
export type MoneyRecords = {
  /** Above zero: owed by the buyer; below: to the buyer. */
  balanceCents: Cents;
  paidCents: Cents;
  refundedCents: Cents;
  /** The part that the cardholder's bank took back; nobody here sent it. */
  disputedCents: Cents;
  /** Card payments that the buyer completed, and of which Stripe has not told us yet. */
  onItsWayCents: Cents;
  /** Oldest first, each note behind its invoice. */
  documents: ShownDocument[];
  /** The invoices with something open, the earliest due date first; none when nothing is owed. */
  open: (Pick<
    OpenInvoice,
    'dueOn' | 'printedDueOn' | 'openCents' | 'dueCents' | 'choosingCents' | 'undecided' | 'instalments'
  > & {
    number: string;
  })[];
  /** How to pay the amount that is due first; null when nothing is owed. */
  pay: TaxInvoiceFacts['payment'] | null;
};

/** Reads invoices, adjustment notes, payments and refunds of an enrolment. */
export async function readMoneyRecords(db: Db, { id }: Pick<Enrolment, 'id'>, now: Date): Promise<MoneyRecords> {
  return (await readMoneyRecordsOf(db, [id], now)).get(id) ?? recordsOf([], noAccount, []);
}

/** The same of several enrolments, by enrolment. */
export async function readMoneyRecordsOf(
  db: Db,
  ids: readonly number[],
  now: Date,
): Promise<Map<number, MoneyRecords>> {
  const documents = Map.groupBy(await documentsOfAll(db, ids), ({ enrolmentId }) => enrolmentId);
  const accounts = await accountsOf(db, ids);
  const owing = ids.filter((id) => balanceOf(accounts.get(id) ?? noAccount) > 0);
  const open = await openInvoicesOf(db, owing);
  const cards = {
    onTheirWay: await cardPaymentsOnTheirWay(db, owing, now),
    disputed: await disputedOf(db, owing),
  };
  return new Map(
    ids.map((id) => [
      id,
      recordsOf(documents.get(id) ?? [], accounts.get(id) ?? noAccount, open.get(id) ?? [], {
        onItsWayCents: cards.onTheirWay.get(id) ?? 0,
        disputedCents: cards.disputed.get(id) ?? 0,
      }),
    ]),
  );
}

function recordsOf(
  documents: readonly MoneyDocument[],
  account: Account,
  open: readonly OpenInvoice[],
  cards: Pick<MoneyRecords, 'onItsWayCents' | 'disputedCents'> = { onItsWayCents: 0, disputedCents: 0 },
): MoneyRecords {
  const invoices = documents.flatMap((one) => (one.kind === 'tax-invoice' ? [one] : []));
  const notes = documents.flatMap((one) => (one.kind === 'adjustment-note' ? [one] : []));
  const notesOf = (number: string) => notes.filter(({ facts }) => facts.invoice.number === number);
  return {
    balanceCents: balanceOf(account),
    paidCents: account.paidCents,
    refundedCents: account.refundedCents,
    ...cards,
    documents: invoices.flatMap((invoice) => {
      const taken = notesOf(invoice.facts.number);
      const left = taken.reduce((cents, { facts }) => cents - facts.totalCents, invoice.facts.totalCents);
      return [
        shown(invoice.kind, invoice.id, invoice.facts, left <= 0 ? taken.at(-1)?.facts.number : undefined),
        ...taken.map(({ kind, id, facts }) => shown(kind, id, facts)),
      ];
    }),
    open: open.map(({ facts, dueOn, printedDueOn, openCents, dueCents, choosingCents, undecided, instalments }) => ({
      number: facts.number,
      dueOn,
      printedDueOn,
      openCents,
      dueCents,
      choosingCents,
      undecided,
      instalments,
    })),
    pay: (open[0] ?? (balanceOf(account) > 0 ? invoices.at(-1) : undefined))?.facts.payment ?? null,
  };
}

function shown(
  kind: ShownDocument['kind'],
  id: number,
  facts: TaxInvoiceFacts | AdjustmentNoteFacts,
  cancelledBy: string | null = null,
): ShownDocument {
  const { number, issuedOn, totalCents } = facts;
  return {
    document: `${kind}:${id}`,
    kind,
    number,
    issuedOn,
    totalCents,
    reason: 'reason' in facts ? facts.reason : null,
    cancelledBy,
  };
}
