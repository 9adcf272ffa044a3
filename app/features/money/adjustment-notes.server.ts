import type { Db, Trx } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { gstIn } from '#app/lib/gst.ts';
import type { Cents } from '#app/lib/money.ts';
import { shareOut } from '#app/lib/shares.ts';
import { lockDocuments, takeNumber } from './document-numbers.server.ts';
import { invoiceNumber, noteNumber } from './invoice-rules.ts';
import { type Issued, type IssuedAt, readSeller } from './invoices.server.ts';

/** The fall in the charge for a place, GST included. */
export type Credit = { placeId: number; cents: Cents };

/**
 * Issues the adjustment notes that lower what was charged for places of one enrolment (P30), one for each invoice
 * concerned, in the caller's transaction. A place that was moved is found under the place it was invoiced as. Credits of
 * nothing are left out. Throws when more is credited than is left of an invoice's lines: ask `chargedFor` before.
 */
export async function issueAdjustmentNotes(
  trx: Trx,
  {
    enrolmentId,
    credits,
    reason,
    ...when
  }: IssuedAt & { enrolmentId: number; credits: readonly Credit[]; reason: string },
): Promise<Issued<AdjustmentNoteFacts>[]> {
  await lockDocuments(trx, enrolmentId);
  const [lines, rootOf] = [await openLines(trx, enrolmentId), await invoicedAs(trx, enrolmentId)];
  const byInvoice = new Map<number, { line: OpenLine; cents: Cents }[]>();
  for (const { placeId, cents } of credits) {
    let left = cents;
    for (const line of lines.filter(({ place_id }) => place_id !== null && rootOf(place_id) === rootOf(placeId))) {
      const part = Math.min(left, line.left);
      if (part === 0) continue;
      byInvoice.set(line.tax_invoice_id, [...(byInvoice.get(line.tax_invoice_id) ?? []), { line, cents: part }]);
      line.left -= part;
      left -= part;
    }
    if (left > 0) throw new Error(`place ${placeId} is charged ${left} cents less than is to be credited`);
  }
  const notes: Issued<AdjustmentNoteFacts>[] = [];
  for (const [invoiceId, parts] of byInvoice) notes.push(await writeNote(trx, { invoiceId, parts, reason, ...when }));
  return notes;
}

/** The amount that an invoice still charges for a place after its notes, in cents with GST. */
export type Charge = { placeId: number; invoiceId: number; cents: Cents };

/**
 * The charges of an enrolment after all notes, by place and invoice. What was charged for a place that moved to another
 * date is charged for the place on that date, and nothing for the former one.
 */
export async function readInvoicedCharges(trx: Db, enrolmentId: number): Promise<Charge[]> {
  const [lines, rootOf] = [await openLines(trx, enrolmentId), await invoicedAs(trx, enrolmentId)];
  const places = await trx
    .selectFrom('places')
    .select(['id', 'transferred_from'])
    .where('enrolment_id', '=', enrolmentId)
    .orderBy('id')
    .execute();
  const movedAway = new Set(places.map(({ transferred_from }) => transferred_from));
  return places
    .filter(({ id }) => !movedAway.has(id))
    .flatMap(({ id }) =>
      lines
        .filter(({ place_id }) => place_id !== null && rootOf(place_id) === rootOf(id))
        .map((line) => ({ placeId: id, invoiceId: line.tax_invoice_id, cents: line.left })),
    );
}

/** The sum of the charges for each place of an enrolment. */
export async function chargedFor(trx: Db, enrolmentId: number): Promise<(placeId: number) => Cents> {
  const charges = await readInvoicedCharges(trx, enrolmentId);
  return (place) => charges.filter(({ placeId }) => placeId === place).reduce((sum, { cents }) => sum + cents, 0);
}

export type OpenLine = {
  tax_invoice_id: number;
  position: number;
  place_id: number | null;
  description: string;
  /** The rest after earlier notes. */
  left: Cents;
};

/** Every line ever invoiced for an enrolment, the latest invoice first. */
export async function openLines(trx: Db, enrolmentId: number): Promise<OpenLine[]> {
  const rows = await trx
    .selectFrom('tax_invoice_lines as line')
    .innerJoin('tax_invoices as invoice', 'invoice.id', 'line.tax_invoice_id')
    .select(['line.tax_invoice_id', 'line.position', 'line.place_id', 'line.description', 'line.amount_cents'])
    .select((eb) =>
      eb
        .selectFrom('adjustment_note_lines as credit')
        .innerJoin('adjustment_notes as note', 'note.id', 'credit.adjustment_note_id')
        .whereRef('note.tax_invoice_id', '=', 'line.tax_invoice_id')
        .whereRef('credit.invoice_position', '=', 'line.position')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('credit.amount_cents'), eb.lit(0)).as('cents'))
        .as('credited'),
    )
    .where('invoice.enrolment_id', '=', enrolmentId)
    .orderBy('line.tax_invoice_id', 'desc')
    .orderBy('line.position')
    .execute();
  return rows.map(({ amount_cents, credited, ...line }) => ({ ...line, left: amount_cents - (credited ?? 0) }));
}

/** Maps every place of an enrolment to the first in its chain of transfers, which was invoiced. */
export async function invoicedAs(trx: Db, enrolmentId: number): Promise<(placeId: number) => number> {
  const rows = await trx
    .selectFrom('places')
    .select(['id', 'transferred_from'])
    .where('enrolment_id', '=', enrolmentId)
    .execute();
  const from = new Map(rows.map(({ id, transferred_from }) => [id, transferred_from]));
  return (placeId) => {
    let root = placeId;
    for (let before = from.get(root); before; before = from.get(root)) root = before;
    return root;
  };
}

/** An invoice as it was issued, with the rest after its notes; throws when there is none. */
export async function readInvoice(trx: Trx, invoiceId: number) {
  const row = await trx
    .selectFrom('tax_invoices')
    .select(['number', 'issued_on', 'total_cents', 'facts'])
    .select((eb) =>
      eb
        .selectFrom('adjustment_notes')
        .whereRef('tax_invoice_id', '=', 'tax_invoices.id')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('adjustment_notes.total_cents'), eb.lit(0)).as('cents'))
        .as('credited'),
    )
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  // Written by writeInvoice only.
  const facts = row.facts as unknown as TaxInvoiceFacts;
  return { number: row.number, issuedOn: row.issued_on, leftCents: row.total_cents - (row.credited ?? 0), facts };
}

type NewNote = IssuedAt & { invoiceId: number; parts: readonly { line: OpenLine; cents: Cents }[]; reason: string };

/** Writes a note that credits parts of an invoice's lines, under the next number; the documents are locked before. */
export async function writeNote(
  trx: Trx,
  { invoiceId, parts, reason, today, at }: NewNote,
): Promise<Issued<AdjustmentNoteFacts>> {
  const invoice = await readInvoice(trx, invoiceId);
  const { seller } = await readSeller(trx);
  const number = await takeNumber(trx, 'adjustment-note');
  const amounts = parts.map(({ cents }) => cents);
  const totalCents = amounts.reduce((sum, cents) => sum + cents, 0);
  const before = { totalCents: invoice.leftCents, gstCents: gstIn(invoice.leftCents) };
  const after = { totalCents: before.totalCents - totalCents, gstCents: gstIn(before.totalCents - totalCents) };
  const gstCents = before.gstCents - after.gstCents;
  const gst = shareOut(gstCents, amounts);
  const facts: AdjustmentNoteFacts = {
    version: 1,
    number: noteNumber(number),
    issuedOn: today,
    enrolment: invoice.facts.enrolment,
    seller,
    buyer: invoice.facts.buyer,
    totalCents,
    gstCents,
    invoice: { number: invoiceNumber(invoice.number), issuedOn: invoice.issuedOn },
    reason,
    lines: parts.map(({ line, cents }, index) => ({
      description: line.description,
      detail: invoice.facts.lines[line.position - 1]?.detail ?? '',
      amountCents: cents,
      gstCents: gst[index] ?? 0,
    })),
    before,
    after,
  };
  const { id } = await trx
    .insertInto('adjustment_notes')
    .values({
      number,
      tax_invoice_id: invoiceId,
      issued_on: today,
      reason,
      total_cents: totalCents,
      gst_cents: gstCents,
      facts: JSON.stringify(facts),
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('adjustment_note_lines')
    .values(
      parts.map(({ line, cents }, index) => ({
        adjustment_note_id: id,
        position: index + 1,
        invoice_position: line.position,
        place_id: line.place_id,
        amount_cents: cents,
        gst_cents: gst[index] ?? 0,
      })),
    )
    .execute();
  return { id, facts };
}
