import type { Db } from '#app/db/client.server.ts';
import type { DrawDocument, Drawn } from '#app/documents/documents.ts';
import { findDocument, type MoneyDocument } from './accounts.server.ts';

/**
 * The PDF of a document by its name in mails, such as `tax-invoice:12`, made from its stored facts: the same bytes each
 * time (P30). Throws when there is none.
 */
export async function documentOf(db: Db, name: string, draw: DrawDocument): Promise<Drawn> {
  return draw(await factsOf(db, name));
}

/** What a document shows, by its name in mails, as it was issued. Throws when there is none. */
export async function factsOf(db: Db, name: string): Promise<MoneyDocument> {
  const [kind, id] = name.split(':');
  const document = isKind(kind) ? await findDocument(db, kind, Number(id)) : undefined;
  if (!document) throw new Error(`no document ${name}`);
  return document;
}

const isKind = (kind: string | undefined): kind is MoneyDocument['kind'] =>
  kind === 'tax-invoice' || kind === 'adjustment-note';
