import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';

/** Erases the text of a mail with a code or a link to sign in. For `set` of an update of `mails`. */
export const secretErased = {
  body_text: sql<string>`case when secret then '' else body_text end`,
  body_html: sql<string>`case when secret then '' else body_html end`,
};

/**
 * Erases the text of mails with a secret once they are of no use any more: failed ones, ones kept after they were
 * written to a file, and queued ones, which their next attempt drops. Returns how many.
 */
export async function eraseStaleSecrets(db: Db, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set(secretErased)
    .where('secret', '=', true)
    .where('body_text', '<>', '')
    .where('stale_after', '<', now)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
