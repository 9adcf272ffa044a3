import type { Trx } from '#app/db/client.server.ts';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { openInvoices } from './accounts.server.ts';
import { invoicedAs, openLines, readInvoice, writeNote } from './adjustment-notes.server.ts';
import { lockDocuments } from './document-numbers.server.ts';
import { notTooSoon } from './invoice-rules.ts';
import {
  detailOf,
  gstOfLines,
  type Issued,
  type IssuedAt,
  readSeller,
  readStated,
  undecidedOf,
  writeInvoice,
} from './invoices.server.ts';

/**
 * Corrects the buyer's details on every invoice of an enrolment that is not fully credited (P30). An adjustment note
 * credits the whole invoice, and a new invoice names the buyer with the present details. The amount owed stays the
 * same. So does the due date, unless it is too soon for a new invoice (P39). Dates, decisions and payments are stated
 * as they are now: dates may have been confirmed since, or places moved. Returns each new invoice with its note.
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
      ...(old.terms !== undefined && { terms: old.terms }),
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
 * The text of a line of a replaced invoice, with the present date if the place or its date was moved, and whether it is
 * the rest after adjustment notes.
 */
function detailNow(before: string, { place, isWhole }: { place: Stated | undefined; isWhole: boolean }): string {
  // The original text: it has no semicolon but the ones added here.
  const [bought = '', ...since] = before.split('; ');
  const now = place && detailOf(place);
  return [
    bought,
    ...(now && !bought.endsWith(now) ? [`now ${now}`] : []),
    ...(isWhole && !since.includes(rest) ? [] : [rest]),
  ].join('; ');
}

const rest = 'what is left after earlier adjustment notes';

/** The active places of an enrolment, by the places that were invoiced for them. */
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
