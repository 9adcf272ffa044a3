import type { Db, Trx } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts } from '#app/documents/invoice-facts.ts';
import type { Cents } from '#app/lib/money.ts';
import { lockDocuments } from './document-numbers.server.ts';
import type { Issued, IssuedAt } from './invoices.server.ts';
import { invoicedAs, type OpenLine, openLines, writeNote } from './write-note.server.ts';

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

/** What an invoice still charges for a place after its notes, in cents with GST. */
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
