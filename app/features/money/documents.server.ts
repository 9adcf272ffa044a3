import type { Db } from '#app/db/client.server.ts';
import type { DrawDocument, Drawn } from '#app/documents/documents.ts';
import type { TaxInvoiceFacts } from '#app/documents/invoice-facts.ts';
import { findDocument, type MoneyDocument } from './accounts.server.ts';

/**
 * The PDF of a document by its name in mails, such as `tax-invoice:12`, made from its stored facts: the same bytes each
 * time (P30), but with the present names of attendees. Throws when there is no such document.
 */
export async function documentOf(db: Db, name: string, draw: DrawDocument): Promise<Drawn> {
  return draw(await factsOf(db, name));
}

/**
 * What a document shows, by its name in mails, as it was issued; a tax invoice also names who attends, as they are
 * named now. Throws when there is none.
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
