import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { DrawDocument, Drawn } from '#app/documents/documents.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Account } from './balance.ts';
import type { OpenInvoice } from './open-invoice.ts';
import { type Match, matcherOf, type Nameable, referencesIn } from './references.ts';

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
  return (await accountsOf(db, [enrolmentId])).get(enrolmentId) ?? noAccount;
}

export const noAccount: Account = { invoicedCents: 0, creditedCents: 0, paidCents: 0, refundedCents: 0 };

export type MoneyDocument =
  | { kind: 'tax-invoice'; id: number; enrolmentId: number | null; facts: TaxInvoiceFacts }
  | { kind: 'adjustment-note'; id: number; enrolmentId: number | null; facts: AdjustmentNoteFacts };

/** Tax invoices and adjustment notes of an enrolment, in the order in which they were issued, invoices first. */
export const documentsOf = (db: Db, enrolmentId: number): Promise<MoneyDocument[]> => documentsOfAll(db, [enrolmentId]);

/** The same of several enrolments. */
export async function documentsOfAll(db: Db, enrolmentIds: readonly number[]): Promise<MoneyDocument[]> {
  if (enrolmentIds.length === 0) return [];
  const invoices = await db
    .selectFrom('tax_invoices')
    .select(['id', 'enrolment_id', 'facts'])
    .where('enrolment_id', 'in', enrolmentIds)
    .orderBy('id')
    .execute();
  const notes = await db
    .selectFrom('adjustment_notes as note')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'note.tax_invoice_id')
    .select(['note.id', 'invoice.enrolment_id', 'note.facts'])
    .where('invoice.enrolment_id', 'in', enrolmentIds)
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

/**
 * The open invoices of an enrolment, the earliest due date first (P39). Only `open_invoices` in the database computes
 * due dates and amounts, so that staff's lists show the same. One that is paid by instalments has each that is open.
 */
export async function openInvoices(db: Db, enrolmentId: number): Promise<OpenInvoice[]> {
  return (await openInvoicesOf(db, [enrolmentId])).get(enrolmentId) ?? [];
}

/** The same of several enrolments, by enrolment. */
export async function openInvoicesOf(db: Db, enrolmentIds: readonly number[]): Promise<Map<number, OpenInvoice[]>> {
  if (enrolmentIds.length === 0) return new Map();
  const { rows } = await sql<Row & { of: number }>`
    select id_of.id as "of", tax_invoice_id as id, facts, debt, printed_due_on as "printedDueOn", due_on as "dueOn",
      open_cents as "openCents", due_cents as "dueCents", asked_cents as "askedCents",
      choosing_cents as "choosingCents", undecided, first_day as "firstDay", instalment_id as "instalmentId"
    from unnest(${[...enrolmentIds]}::bigint[]) as id_of(id), open_invoices(id_of.id) as open
      join tax_invoices invoice on invoice.id = open.tax_invoice_id
    order by due_on nulls last, printed_due_on, open.number, instalment_id nulls first`.execute(db);
  const byEnrolment = Map.groupBy(rows, ({ of }) => of);
  return new Map([...byEnrolment].map(([id, its]) => [id, invoicesOf(its)]));
}

/** Whether a part of an invoice of the enrolment is overdue (P105). */
export async function isOverdue(db: Db, enrolmentId: number, today: Day): Promise<boolean> {
  return (await openInvoices(db, enrolmentId)).some(({ dueOn }) => dueOn !== null && dueOn < today);
}

/** The invoices in rows; an invoice that is paid by instalments has several rows. */
function invoicesOf(rows: readonly (Row & { of: number })[]): OpenInvoice[] {
  const invoices = new Map<number, OpenInvoice>();
  for (const { facts, instalmentId, of: _, ...row } of rows) {
    const { dueOn, openCents, dueCents, askedCents } = row;
    const before = invoices.get(row.id);
    const instalments = [
      ...(before?.instalments ?? []),
      ...(instalmentId === null ? [] : [{ id: instalmentId, dueOn, openCents, dueCents, askedCents }]),
    ];
    // Facts are written by the commands that issue the documents, and by nobody else.
    const invoice = before ?? { ...row, facts: facts as TaxInvoiceFacts, instalments };
    invoices.set(row.id, before ? { ...together(invoice, row), instalments } : invoice);
  }
  return [...invoices.values()];
}

type Row = Omit<OpenInvoice, 'facts' | 'instalments'> & { facts: unknown; instalmentId: number | null };
type Part = Pick<Row, 'dueOn' | 'openCents' | 'dueCents' | 'askedCents' | 'choosingCents'>;

/** An invoice with one more part of it. */
const together = (invoice: OpenInvoice, part: Part): OpenInvoice => ({
  ...invoice,
  // The parts come in the order of their days; the parts without a day are last.
  dueOn: invoice.dueOn ?? part.dueOn,
  openCents: invoice.openCents + part.openCents,
  dueCents: invoice.dueCents + part.dueCents,
  askedCents: invoice.askedCents + part.askedCents,
  choosingCents: invoice.choosingCents + part.choosingCents,
});

/**
 * The PDF of a document by its name in mails, such as `tax-invoice:12`, made from its stored facts: the same bytes each
 * time (P30), but with the present names of attendees. Throws when there is no such document.
 */
export async function documentOf(db: Db, name: string, draw: DrawDocument): Promise<Drawn> {
  return draw(await factsOf(db, name));
}

/**
 * The contents of a document as it was issued, by its name in mails; a tax invoice also has the present names of the
 * attendees. Throws when there is none.
 */
export async function factsOf(db: Db, name: string): Promise<MoneyDocument> {
  const [kind, id] = name.split(':');
  const document = isKind(kind) ? await findDocument(db, kind, Number(id)) : undefined;
  if (!document) throw new Error(`no document ${name}`);
  return document.kind === 'tax-invoice' ? { ...document, facts: await withAttendees(db, document.facts) } : document;
}

async function withAttendees(db: Db, facts: TaxInvoiceFacts): Promise<TaxInvoiceFacts> {
  const ids = facts.lines.flatMap(({ placeId }) => placeId ?? []);
  const rows = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['places.id', 'name'])
    .where('places.id', 'in', [0, ...ids])
    .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return {
    ...facts,
    lines: facts.lines.map((line) =>
      line.placeId !== null && names.has(line.placeId) ? { ...line, attendee: names.get(line.placeId) ?? null } : line,
    ),
  };
}

const isKind = (kind: string | undefined): kind is MoneyDocument['kind'] =>
  kind === 'tax-invoice' || kind === 'adjustment-note';

/** Finds the enrolment that the words of each payment name, with two queries for all payments. */
export async function matchWords(db: Db, words: readonly string[]): Promise<Match[]> {
  const named = words.map(referencesIn);
  const references = named.flatMap(({ enrolments, unclear }) => [
    ...enrolments,
    ...unclear.flatMap((one) => one.enrolments),
  ]);
  const numbers = named.flatMap(({ invoices, unclear }) => [...invoices, ...unclear.flatMap((one) => one.invoices)]);
  const { rows } = await sql<Nameable>`
    select id, reference, title, buyer_name as buyer, null as number from enrolments where reference = any(${references}::text[])
    union all
    select enrolments.id, reference, title, buyer_name, number from tax_invoices
      join enrolments on enrolments.id = enrolment_id where number = any(${numbers}::integer[])`.execute(db);
  return named.map(matcherOf(rows));
}
