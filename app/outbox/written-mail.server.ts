import { sql } from 'kysely';
import type { Trx } from '#app/db/client.server.ts';

/** The emails that this transaction queued, by recipient. */
export function readWrittenMail(trx: Trx) {
  return trx
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'body_text'])
    .where(sql<boolean>`xmin = pg_current_xact_id()::xid`)
    .orderBy('recipient')
    .execute();
}
