import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';

/** The open messages that the same address sent before one of the same conversation: who answers the last answers all. */
export function openBefore(db: Db | Trx, enquiryId: number) {
  const first = sql<number>`coalesce((select thread_of from inbound_emails where enquiry_id = ${enquiryId}), ${enquiryId})`;
  return db
    .selectFrom('enquiries')
    .where('state', '=', 'new')
    .where('id', '<', enquiryId)
    .where(sql<boolean>`lower(email) = (select lower(email) from enquiries own where own.id = ${enquiryId})`)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('id', '=', first),
        eb('id', 'in', selectFrom('inbound_emails').select('enquiry_id').where('thread_of', '=', first)),
      ]),
    );
}
