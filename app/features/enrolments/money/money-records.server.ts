import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { Enrolment } from '#app/features/enrolments/enrolment.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { accountOf, documentsOf } from './accounts.server.ts';
import { balanceOf } from './balance.ts';
import { effectiveDue } from './invoice-rules.ts';

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
};

/** The money of an enrolment (P32, P39), in cents, GST included. */
export type MoneyRecords = {
  /** Above zero: owed by the buyer; below: to the buyer. */
  balanceCents: Cents;
  paidCents: Cents;
  refundedCents: Cents;
  /** Oldest first, each note behind its invoice. */
  documents: ShownDocument[];
  /** What is open of the invoices, when something is owed. */
  open: {
    /** The earliest day by which something is to be paid; null while the sessions are not confirmed (P39). */
    dueOn: Day | null;
    /** By when it would be due once they are. */
    printedDueOn: Day;
    pay: TaxInvoiceFacts['payment'];
  } | null;
};

/** Reads invoices, adjustment notes, payments and refunds of an enrolment. */
export async function readMoneyRecords(db: Db, enrolment: Enrolment): Promise<MoneyRecords> {
  const documents = await documentsOf(db, enrolment.id);
  const account = await accountOf(db, enrolment.id);
  const balanceCents = balanceOf(account);
  const invoices = documents.flatMap((one) => (one.kind === 'tax-invoice' ? [one] : []));
  const notes = documents.flatMap((one) => (one.kind === 'adjustment-note' ? [one] : []));
  const notesOf = (number: string) => notes.filter(({ facts }) => facts.invoice.number === number);
  const left = invoices.filter(
    ({ facts }) => facts.totalCents > notesOf(facts.number).reduce((sum, note) => sum + note.facts.totalCents, 0),
  );
  return {
    balanceCents,
    paidCents: account.paidCents,
    refundedCents: account.refundedCents,
    documents: invoices.flatMap((invoice) => [
      shown(invoice.kind, invoice.id, invoice.facts),
      ...notesOf(invoice.facts.number).map(({ kind, id, facts }) => shown(kind, id, facts)),
    ]),
    open:
      balanceCents > 0
        ? await openOf(
            db,
            enrolment,
            left.map(({ facts }) => facts),
          )
        : null,
  };
}

function shown(kind: ShownDocument['kind'], id: number, facts: TaxInvoiceFacts | AdjustmentNoteFacts): ShownDocument {
  const { number, issuedOn, totalCents } = facts;
  return {
    document: `${kind}:${id}`,
    kind,
    number,
    issuedOn,
    totalCents,
    reason: 'reason' in facts ? facts.reason : null,
  };
}

async function openOf(db: Db, { places }: Enrolment, left: readonly TaxInvoiceFacts[]): Promise<MoneyRecords['open']> {
  const latest = left.at(-1);
  if (!latest) return null;
  const active = places.filter(({ state }) => state === 'active');
  const confirmed = await confirmedOn(
    db,
    active.flatMap(({ session }) => session?.id ?? []),
  );
  const dues = left.map(({ dueOn, lines }) => {
    const sessions = active.flatMap(({ originId, session }) =>
      session && lines.some(({ placeId }) => placeId === originId)
        ? [{ state: session.state, confirmedOn: confirmed.get(session.id) ?? null }]
        : [],
    );
    return effectiveDue(dueOn, sessions);
  });
  const [dueOn = null] = dues.filter((due) => due !== null).toSorted();
  const [printedDueOn = latest.dueOn] = left.map((facts) => facts.dueOn).toSorted();
  return { dueOn, printedDueOn, pay: latest.payment };
}

async function confirmedOn(db: Db, sessionIds: readonly number[]): Promise<Map<number, Day | null>> {
  if (sessionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('training_sessions')
    .select(['id', 'confirmed_on'])
    .where('id', 'in', sessionIds)
    .execute();
  return new Map(rows.map(({ id, confirmed_on }) => [id, confirmed_on]));
}
