import type { Db } from '#app/db/client.server.ts';
import { adjustmentNotePdf } from '#app/documents/adjustment-note.tsx';
import { taxInvoicePdf } from '#app/documents/tax-invoice.tsx';
import { findDocument, type MoneyDocument } from './accounts.server.ts';

/**
 * The PDF of a document by its name in mails, such as `tax-invoice:12`, made from its stored facts: the same bytes each
 * time (P30). Throws when there is none.
 */
export async function documentOf(db: Db, name: string): Promise<Buffer> {
  const [kind, id] = name.split(':');
  const document = isKind(kind) ? await findDocument(db, kind, Number(id)) : undefined;
  if (!document) throw new Error(`no document ${name}`);
  return document.kind === 'tax-invoice' ? taxInvoicePdf(document.facts) : adjustmentNotePdf(document.facts);
}

const isKind = (kind: string | undefined): kind is MoneyDocument['kind'] =>
  kind === 'tax-invoice' || kind === 'adjustment-note';
