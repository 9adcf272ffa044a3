import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import { rewriteTables } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/site/queries.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';
import { eraseMails, mailTables } from '#app/outbox/erase-mail.server.ts';

/** How many enquiries were erased, and the ids of the mails about them, whose files may lie in a folder. */
export type Erased = { enquiries: number; mails: string[] };

/** Erases an enquiry for good, with its corrections and the mails about them, from the tables' files as well. */
export async function eraseEnquiry(db: Db, reference: string): Promise<Erased> {
  const erased = await db.transaction().execute(async (trx) => {
    const rows = await trx
      .deleteFrom('enquiries')
      .where((row) => row.or([row('reference', '=', reference), row('corrects', '=', reference)]))
      .returning('id')
      .execute();
    const ids = rows.map(({ id }) => id);
    return { enquiries: rows.length, mails: await eraseMailsAbout(trx, ids) };
  });
  if (erased.enquiries > 0) await rewriteTables(db, ['enquiries', 'enquiry_acts', ...mailTables]);
  return erased;
}

/** Erases the mails about enquiries, answers of staff included, whatever address they went to. Returns their ids. */
export function eraseMailsAbout(trx: Db, ids: readonly number[]): Promise<string[]> {
  return eraseMails(trx, (mail) => mail.and([mail('about_kind', '=', 'enquiry'), mail('about_id', 'in', [0, ...ids])]));
}

/** Erases the enquiries that have been kept as long as the privacy page promises. Returns how many. */
export async function eraseExpired(db: Db, now: Date): Promise<number> {
  return afterErasing(db, await deleteExpired(db, now));
}

/** The daily job: erases what has expired. Returns how many, null when it was done today. */
export async function eraseExpiredDaily(db: Db, now: Date): Promise<number | null> {
  const deleted = await doDaily(db, 'erase-enquiries', now, (trx) => deleteExpired(trx, now));
  return deleted === null ? null : afterErasing(db, deleted);
}

async function afterErasing(db: Db, deleted: number): Promise<number> {
  if (deleted > 0) await rewriteTables(db, ['enquiries', 'enquiry_acts']);
  return deleted;
}

/** A first message stays as long as a correction of it does. */
async function deleteExpired(db: Db, now: Date): Promise<number> {
  const { enquiryMonths } = await readRetention(db);
  const before = monthsBefore(now, enquiryMonths);
  const { numDeletedRows } = await db
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
  return Number(numDeletedRows);
}
