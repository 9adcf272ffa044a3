import type { Db } from '#app/db/client.server.ts';

/** The PDF of a document by its name in mails, such as `tax-invoice:12`, made from its stored facts (P30). */
export async function documentOf(_db: Db, document: string): Promise<Buffer> {
  throw new Error(`no document ${document}`);
}
