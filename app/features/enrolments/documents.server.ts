import type { Db } from '#app/db/client.server.ts';
import { adjustmentNotePdf } from '#app/documents/adjustment-note.tsx';
import type { AdjustmentNoteFacts, TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { taxInvoicePdf } from '#app/documents/tax-invoice.tsx';

/**
 * The PDF of a document by its name in mails, such as `tax-invoice:12`, made from its stored facts: the same bytes each
 * time (P30). Throws when there is none.
 */
export async function documentOf(db: Db, document: string): Promise<Buffer> {
  const [kind = '', id = ''] = document.split(':');
  if (kind === 'tax-invoice') {
    const row = await db.selectFrom('tax_invoices').select('facts').where('id', '=', Number(id)).executeTakeFirst();
    // Written by writeInvoice only; so with notes.
    if (row) return taxInvoicePdf(row.facts as unknown as TaxInvoiceFacts);
  }
  if (kind === 'adjustment-note') {
    const row = await db.selectFrom('adjustment_notes').select('facts').where('id', '=', Number(id)).executeTakeFirst();
    if (row) return adjustmentNotePdf(row.facts as unknown as AdjustmentNoteFacts);
  }
  throw new Error(`no document ${document}`);
}
