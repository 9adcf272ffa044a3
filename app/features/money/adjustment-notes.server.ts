import type { Trx } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { gstIn } from '#app/lib/gst.ts';
import type { Cents } from '#app/lib/money.ts';
import { shareOut } from '#app/lib/shares.ts';
import { lockDocuments, takeNumber } from './document-numbers.server.ts';
import { invoiceNumber, noteNumber, notTooSoon } from './invoice-rules.ts';
import {
  detailOf,
  gstOfLines,
  type Issued,
  type IssuedAt,
  readStated,
  undecidedOf,
  writeInvoice,
} from './invoices.server.ts';
import { openInvoices } from './open-invoices.server.ts';
import { readSeller } from './parties.server.ts';

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

/** The charge for each present place of an enrolment after all notes, GST included. */
export async function chargedFor(trx: Trx, enrolmentId: number): Promise<(placeId: number) => Cents> {
  const [lines, rootOf] = [await openLines(trx, enrolmentId), await invoicedAs(trx, enrolmentId)];
  return (placeId) =>
    lines
      .filter(({ place_id }) => place_id !== null && rootOf(place_id) === rootOf(placeId))
      .reduce((sum, { left }) => sum + left, 0);
}

/**
 * Corrects the buyer's details on every invoice of an enrolment that is not fully credited (P30). An adjustment note
 * credits the whole invoice, and a new invoice names the buyer with the present details. The amount owed stays the
 * same. So does the due date, unless it is too soon for a new invoice (P39). On what dates, which of them wait for a decision
 * and what was paid is said as it is now: they may have been confirmed since, or the place moved. Returns each new invoice
 * with its note.
 */
export async function replaceInvoices(
  trx: Trx,
  { enrolmentId, ...when }: IssuedAt & { enrolmentId: number },
): Promise<Replacement[]> {
  await lockDocuments(trx, enrolmentId);
  const lines = (await openLines(trx, enrolmentId)).filter(({ left }) => left > 0);
  const { holidays } = await readSeller(trx);
  const standing = await readStanding(trx, enrolmentId);
  const unpaid = new Map((await openInvoices(trx, enrolmentId)).map(({ id, openCents }) => [id, openCents]));
  const issued: Replacement[] = [];
  for (const invoiceId of new Set(lines.map(({ tax_invoice_id }) => tax_invoice_id))) {
    const parts = lines
      .filter(({ tax_invoice_id }) => tax_invoice_id === invoiceId)
      .map((line) => ({ line, cents: line.left }));
    const { facts: old } = await readInvoice(trx, invoiceId);
    const gst = gstOfLines(parts.map(({ cents }) => cents));
    const paidCents = parts.reduce((sum, { cents }) => sum + cents, 0) - (unpaid.get(invoiceId) ?? 0);
    const invoice = await writeInvoice(trx, {
      ...when,
      enrolmentId,
      dueOn: notTooSoon(when.today, old.dueOn, holidays),
      undecided: undecidedOf(standing(parts.map(({ line }) => line.place_id))),
      replaces: old.number,
      ...(paidCents > 0 && { paidCents }),
      lines: parts.map(({ line, cents }, index) => {
        const before = old.lines[line.position - 1];
        if (!before) throw new Error(`invoice ${old.number} has no line ${line.position}`);
        const gstCents = gst[index] ?? 0;
        const isWhole = cents === before.amountCents;
        const detail = detailNow(before.detail, { place: standing([line.place_id])[0], isWhole });
        if (isWhole) return { ...before, detail, gstCents };
        const kept = { priceCents: cents, discountCents: 0, discount: null, amountCents: cents, gstCents };
        return { ...before, ...kept, detail };
      }),
    });
    const reason = `The buyer’s details were corrected. ${invoice.facts.number} takes its place.`;
    issued.push({ invoice, note: await writeNote(trx, { invoiceId, parts, reason, ...when }) });
  }
  return issued;
}

type Stated = Awaited<ReturnType<typeof readStated>>[number];

/**
 * What a line of a replaced invoice was for, with the present date where the place was moved, or its date was, and whether
 * it is the rest after adjustment notes.
 */
function detailNow(before: string, { place, isWhole }: { place: Stated | undefined; isWhole: boolean }): string {
  // As it was bought: no such text has a semicolon but the ones put in here.
  const [bought = '', ...since] = before.split('; ');
  const now = place && detailOf(place);
  return [
    bought,
    ...(now && !bought.endsWith(now) ? [`now ${now}`] : []),
    ...(isWhole && !since.includes(rest) ? [] : [rest]),
  ].join('; ');
}

const rest = 'what is left after earlier adjustment notes';

/** The places of an enrolment that stand, by those that were invoiced for them. */
async function readStanding(trx: Trx, enrolmentId: number) {
  const rootOf = await invoicedAs(trx, enrolmentId);
  const ids = await trx.selectFrom('places').select('id').where('enrolment_id', '=', enrolmentId).execute();
  const places = await readStated(
    trx,
    enrolmentId,
    ids.map(({ id }) => id),
  );
  return (invoiced: readonly (number | null)[]) => {
    const roots = new Set(invoiced.flatMap((id) => (id === null ? [] : rootOf(id))));
    return places.filter(({ id, placeState }) => placeState === 'active' && roots.has(rootOf(id)));
  };
}

export type Replacement = { invoice: Issued<TaxInvoiceFacts>; note: Issued<AdjustmentNoteFacts> };

type OpenLine = {
  tax_invoice_id: number;
  position: number;
  place_id: number | null;
  description: string;
  /** The rest after earlier notes. */
  left: Cents;
};

/** Every line ever invoiced for an enrolment, the latest invoice first. */
async function openLines(trx: Trx, enrolmentId: number): Promise<OpenLine[]> {
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
async function invoicedAs(trx: Trx, enrolmentId: number): Promise<(placeId: number) => number> {
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

async function readInvoice(trx: Trx, invoiceId: number) {
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

async function writeNote(
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
