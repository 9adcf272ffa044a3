import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { readBalance } from './balance.server.ts';
import type { Enrolment } from './enrolment.ts';
import { effectiveDue } from './invoice-rules.ts';

/** A tax invoice or an adjustment note of an enrolment, as its buyer sees it. */
export type MoneyDocument = {
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
  documents: MoneyDocument[];
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
  const { id } = enrolment;
  const invoices = await readInvoices(db, id);
  const notes = await readNotes(db, id);
  const balanceCents = await readBalance(db, id);
  const left = invoices.filter(
    (invoice) =>
      invoice.totalCents >
      notes.filter(({ invoiceId }) => invoiceId === invoice.id).reduce((sum, note) => sum + note.totalCents, 0),
  );
  return {
    balanceCents,
    paidCents: await sumOf(db, 'payments', id),
    refundedCents: await sumOf(db, 'refunds', id),
    documents: invoices.flatMap((invoice) => [
      documentOfInvoice(invoice),
      ...notes.filter(({ invoiceId }) => invoiceId === invoice.id).map(documentOfNote),
    ]),
    open: balanceCents > 0 ? await openOf(db, enrolment, left) : null,
  };
}

type Invoice = { id: number; totalCents: Cents; facts: TaxInvoiceFacts; placeIds: number[] };
type Note = { id: number; invoiceId: number; totalCents: Cents; facts: AdjustmentNoteFacts };

const documentOfInvoice = ({ id, totalCents, facts: { number, issuedOn } }: Invoice): MoneyDocument => ({
  document: `tax-invoice:${id}`,
  kind: 'tax-invoice',
  number,
  issuedOn,
  totalCents,
  reason: null,
});

const documentOfNote = ({ id, totalCents, facts: { number, issuedOn, reason } }: Note): MoneyDocument => ({
  document: `adjustment-note:${id}`,
  kind: 'adjustment-note',
  number,
  issuedOn,
  totalCents,
  reason,
});

async function openOf(db: Db, { places }: Enrolment, left: readonly Invoice[]): Promise<MoneyRecords['open']> {
  const [latest] = left.toReversed();
  if (!latest) return null;
  const active = places.filter(({ state }) => state === 'active');
  const confirmed = await confirmedOn(
    db,
    active.flatMap(({ session }) => session?.id ?? []),
  );
  const dues = left.map(({ facts, placeIds }) => {
    const sessions = active.flatMap(({ originId, session }) =>
      session && placeIds.includes(originId)
        ? [{ state: session.state, confirmedOn: confirmed.get(session.id) ?? null }]
        : [],
    );
    return effectiveDue(facts.dueOn, sessions);
  });
  const [dueOn = null] = dues.filter((due) => due !== null).toSorted();
  const [printedDueOn = latest.facts.dueOn] = left.map(({ facts }) => facts.dueOn).toSorted();
  return { dueOn, printedDueOn, pay: latest.facts.payment };
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

async function readInvoices(db: Db, enrolmentId: number): Promise<Invoice[]> {
  const rows = await db
    .selectFrom('tax_invoices')
    .select(['id', 'total_cents', 'facts'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, total_cents, facts: stored }) => {
    // Written by writeInvoice only.
    const facts = stored as unknown as TaxInvoiceFacts;
    return { id, totalCents: total_cents, facts, placeIds: facts.lines.flatMap(({ placeId }) => placeId ?? []) };
  });
}

async function readNotes(db: Db, enrolmentId: number): Promise<Note[]> {
  const rows = await db
    .selectFrom('adjustment_notes as note')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'note.tax_invoice_id')
    .select(['note.id', 'note.tax_invoice_id', 'note.total_cents', 'note.facts'])
    .where('invoice.enrolment_id', '=', enrolmentId)
    .orderBy('note.id')
    .execute();
  return rows.map(({ id, tax_invoice_id, total_cents, facts }) => ({
    id,
    invoiceId: tax_invoice_id,
    totalCents: total_cents,
    // Written by writeNote only.
    facts: facts as unknown as AdjustmentNoteFacts,
  }));
}

/** Refunds that failed do not count. */
async function sumOf(db: Db, table: 'payments' | 'refunds', enrolmentId: number): Promise<Cents> {
  const query =
    table === 'payments'
      ? db.selectFrom('payments').select('amount_cents').where('enrolment_id', '=', enrolmentId)
      : db
          .selectFrom('refunds')
          .select('amount_cents')
          .where('enrolment_id', '=', enrolmentId)
          .where('state', '=', 'sent');
  return (await query.execute()).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
