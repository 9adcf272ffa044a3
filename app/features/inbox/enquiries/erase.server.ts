import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';
import { eraseMailsAbout, mailTables } from '#app/outbox/erase-mail.server.ts';

const ownTables = ['enquiries', 'inbound_emails', 'enquiry_acts', 'notes', 'person_words'] as const;
/** The tables that hold enquiries and the mails about them. */
export const enquiryTables = [...ownTables, ...mailTables] as const;

/** How many enquiries were erased, and the ids of the mails about them, whose files may lie in a folder. */
export type Erased = { enquiries: number; mails: string[] };

/** Erases an enquiry for good, with its corrections and the mails about them. */
export async function eraseEnquiry(db: Db, reference: string): Promise<Erased> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .deleteFrom('enquiries')
      .where((row) => row.or([row('reference', '=', reference), row('corrects', '=', reference)]))
      .returning('id')
      .execute();
    if (rows.length > 0) await noteErased(trx, enquiryTables);
    const ids = rows.map(({ id }) => id);
    return { enquiries: rows.length, mails: await eraseMailsAbout(trx, 'enquiry', ids) };
  });
}

/** Erases the enquiries that have been kept as long as the privacy page promises. Returns how many. */
export const eraseExpired = (db: Db, now: Date): Promise<number> =>
  db.transaction().execute((trx) => deleteExpired(trx, now));

/** The daily job: erases what has expired. Returns how many, null when it was done today. */
export const eraseExpiredDaily = (db: Db, now: Date): Promise<number | null> =>
  doDaily(db, 'erase-enquiries', now, (trx) => deleteExpired(trx, now));

/** A first message stays as long as a correction of it does. */
async function deleteExpired(trx: Db, now: Date): Promise<number> {
  const { enquiryMonths } = await readRetention(trx);
  const before = monthsBefore(now, enquiryMonths);
  const { numDeletedRows } = await trx
    .deleteFrom('enquiries')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('enquiries as later')
            .select('later.id')
            .whereRef('later.corrects', '=', 'enquiries.reference')
            .where('later.created_at', '>=', before),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await noteErased(trx, ownTables);
  return Number(numDeletedRows);
}
