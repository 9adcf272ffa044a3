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
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import type { Enrolment } from './enrolment.ts';

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
