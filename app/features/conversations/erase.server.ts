import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { rewriteTables } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/site/queries.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';

const tables = ['conversations', 'conversation_messages'];

/** Conversations in which an e-mail address was given, with their messages, notes of staff included. */
export const conversationRecords: PersonalRecords = {
  name: 'conversations',
  tables,
  async read(db, address) {
    const rows = await db
      .selectFrom('conversations')
      .select(['id', 'name', 'email', 'about', 'state', 'created_at', 'last_at', 'visitor_at', 'told_at'])
      .where((row) => row(row.fn<string>('lower', ['email']), '=', address.toLowerCase()))
      .orderBy('id')
      .execute();
    return Promise.all(
      rows.map(async ({ id, ...row }) => {
        const messages = await db
          .selectFrom('conversation_messages')
          .select(['kind', 'body', 'created_at'])
          .where('conversation_id', '=', id)
          .orderBy('id')
          .execute();
        return { ...row, messages };
      }),
    );
  },
  async erase(trx, address) {
    const { numDeletedRows } = await trx
      .deleteFrom('conversations')
      .where((row) => row(row.fn<string>('lower', ['email']), '=', address.toLowerCase()))
      .executeTakeFirstOrThrow();
    return { count: Number(numDeletedRows) };
  },
};

/**
 * The daily job: erases conversations in which nothing was written for as long as the privacy page says they are kept.
 * Returns how many, null when it was done today. `now` is the true time.
 */
export async function expireConversationsDaily(db: Db, now: Date): Promise<number | null> {
  const { conversationMonths } = await readRetention(db);
  const erased = await doDaily(db, 'erase-conversations', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('conversations')
      .where('last_at', '<', monthsBefore(now, conversationMonths))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
  if (erased) await rewriteTables(db, tables);
  return erased;
}
