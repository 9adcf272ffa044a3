import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Cents } from '#app/lib/money.ts';
import { type Account, balanceOf } from './balance.ts';

/** The accounts of enrolments, by id (P39): what was invoiced, credited, paid and refunded. */
export async function accountsOf(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, Account>> {
  if (enrolmentIds.length === 0) return new Map();
  const ids = [...enrolmentIds];
  const { rows } = await sql<Account & { id: number }>`
    select id,
      (select coalesce(sum(total_cents), 0) from tax_invoices where enrolment_id = id_of.id) as "invoicedCents",
      (select coalesce(sum(note.total_cents), 0) from adjustment_notes note
        join tax_invoices invoice on invoice.id = note.tax_invoice_id
        where invoice.enrolment_id = id_of.id) as "creditedCents",
      (select coalesce(sum(amount_cents), 0) from payments where enrolment_id = id_of.id) as "paidCents",
      -- By its payment, which may have been assigned after the refund.
      (select coalesce(sum(refund.amount_cents), 0) from refunds refund
        join payments payment on payment.id = refund.payment_id
        where payment.enrolment_id = id_of.id and refund.state = 'sent') as "refundedCents"
    from unnest(${ids}::bigint[]) as id_of(id)
  `.execute(db);
  return new Map(rows.map(({ id, ...account }) => [id, account]));
}

/** The account of one enrolment; all zero when nothing was invoiced or paid. */
export async function accountOf(db: Db, enrolmentId: number): Promise<Account> {
  const account = (await accountsOf(db, [enrolmentId])).get(enrolmentId);
  return account ?? { invoicedCents: 0, creditedCents: 0, paidCents: 0, refundedCents: 0 };
}

export type MoneyDocument =
  | { kind: 'tax-invoice'; id: number; enrolmentId: number | null; facts: TaxInvoiceFacts }
  | { kind: 'adjustment-note'; id: number; enrolmentId: number | null; facts: AdjustmentNoteFacts };

/** Tax invoices and adjustment notes of an enrolment, in the order in which they were issued. */
export async function documentsOf(db: Db, enrolmentId: number): Promise<MoneyDocument[]> {
  const invoices = await db
    .selectFrom('tax_invoices')
    .select(['id', 'enrolment_id', 'facts'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id')
    .execute();
  const notes = await db
    .selectFrom('adjustment_notes as note')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'note.tax_invoice_id')
    .select(['note.id', 'invoice.enrolment_id', 'note.facts'])
    .where('invoice.enrolment_id', '=', enrolmentId)
    .orderBy('note.id')
    .execute();
  return [...invoices.map(asInvoice), ...notes.map(asNote)];
}

/** One document by its id; undefined when there is none. */
export async function findDocument(
  db: Db,
  kind: MoneyDocument['kind'],
  id: number,
): Promise<MoneyDocument | undefined> {
  if (kind === 'tax-invoice') {
    const row = await db.selectFrom('tax_invoices').selectAll().where('id', '=', id).executeTakeFirst();
    return row && asInvoice(row);
  }
  const row = await db
    .selectFrom('adjustment_notes as note')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'note.tax_invoice_id')
    .select(['note.id', 'invoice.enrolment_id', 'note.facts'])
    .where('note.id', '=', id)
    .executeTakeFirst();
  return row && asNote(row);
}

type FactsRow = { id: number; enrolment_id: number | null; facts: unknown };

// Facts are written by the commands that issue the documents, and by nobody else.
const asInvoice = ({ id, enrolment_id, facts }: FactsRow): MoneyDocument => ({
  kind: 'tax-invoice',
  id,
  enrolmentId: enrolment_id,
  facts: facts as TaxInvoiceFacts,
});
const asNote = ({ id, enrolment_id, facts }: FactsRow): MoneyDocument => ({
  kind: 'adjustment-note',
  id,
  enrolmentId: enrolment_id,
  facts: facts as AdjustmentNoteFacts,
});

/** Why staff should look at a payment (P39). */
export type Oddity = 'unmatched' | 'too-small' | 'too-large' | 'double' | 'late' | 'cancelled';

export type OddPayment = {
  id: number;
  enrolmentId: number | null;
  reference: string | null;
  amountCents: Cents;
  receivedOn: Day;
  words: string | null;
  /** What is owed on its enrolment now; below zero to the buyer. */
  balanceCents: Cents;
  why: Oddity[];
};

/**
 * Payments for staff to look at, the latest first, at most 200: all without an enrolment, and of those recorded since an
 * instant the ones after which something is still owed or too much was paid, that came twice, came after the day they
 * were due, or are for an enrolment of which every place is cancelled.
 */
export async function paymentsToReview(db: Db, since: Date): Promise<OddPayment[]> {
  const rows = await db
    .selectFrom('payments as payment')
    .leftJoin('enrolments as enrolment', 'enrolment.id', 'payment.enrolment_id')
    .select(['payment.id', 'payment.enrolment_id', 'enrolment.reference', 'amount_cents', 'received_on', 'words'])
    .select(({ exists, selectFrom, not }) => [
      not(
        exists(
          selectFrom('places')
            .select('places.id')
            .whereRef('places.enrolment_id', '=', 'payment.enrolment_id')
            .where('places.state', '!=', 'cancelled'),
        ),
      ).as('cancelled'),
      exists(
        selectFrom('payments as other')
          .select('other.id')
          .whereRef('other.enrolment_id', '=', 'payment.enrolment_id')
          .whereRef('other.amount_cents', '=', 'payment.amount_cents')
          .whereRef('other.id', '<', 'payment.id'),
      ).as('double'),
      selectFrom('tax_invoices')
        .whereRef('tax_invoices.enrolment_id', '=', 'payment.enrolment_id')
        .select(sql<Day | null>`max(facts ->> 'dueOn')`.as('due'))
        .as('due'),
    ])
    .where((eb) => eb.or([eb('payment.enrolment_id', 'is', null), eb('payment.recorded_at', '>=', since)]))
    .orderBy('payment.id', 'desc')
    .execute();
  const accounts = await accountsOf(db, [...new Set(rows.flatMap(({ enrolment_id }) => enrolment_id ?? []))]);
  return rows
    .map((row): OddPayment => {
      const account = accounts.get(row.enrolment_id ?? 0);
      const balanceCents = account ? balanceOf(account) : 0;
      const why: Oddity[] = [];
      if (row.enrolment_id === null) why.push('unmatched');
      else {
        if (balanceCents > 0) why.push('too-small');
        if (balanceCents < 0) why.push('too-large');
        if (balanceCents < 0 && row.double) why.push('double');
        if (row.due && row.received_on > row.due) why.push('late');
        if (row.cancelled) why.push('cancelled');
      }
      return {
        id: row.id,
        enrolmentId: row.enrolment_id,
        reference: row.reference,
        amountCents: row.amount_cents,
        receivedOn: row.received_on,
        words: row.words,
        balanceCents,
        why,
      };
    })
    .filter(({ why }) => why.length > 0)
    .slice(0, 200);
}
