import type { Db } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';
import { eraseMailsAbout, mailTables } from '#app/outbox/erase-mail.server.ts';
import { mailFile } from '#app/outbox/transport.server.ts';

const tables = ['conversations', 'conversation_messages', 'notes', 'person_words'];

/** Conversations in which an email address of the person was given, with their messages, notes of staff included. */
export const conversationRecords: PersonalRecords = {
  name: 'conversations',
  tables: [...tables, ...mailTables],
  async read(db, person) {
    const rows = await db
      .selectFrom('conversations')
      .select(['id', 'name', 'email', 'about', 'state', 'created_at', 'last_at', 'visitor_at', 'told_at'])
      .where('person_id', '=', person.id)
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
  async erase(trx, { id }) {
    const rows = await trx.deleteFrom('conversations').where('person_id', '=', id).returning('id').execute();
    const ids = rows.map((row) => row.id);
    // Notices to staff quote the person's name, address and message.
    const mails = await eraseMailsAbout(trx, 'conversation', ids);
    return { count: ids.length, files: mails.map(mailFile) };
  },
};

/**
 * The daily job: erases conversations in which nothing was written for as long as the privacy page says they are kept.
 * Returns how many, null when it was done today.
 */
export async function expireConversationsDaily(db: Db, now: Date): Promise<number | null> {
  const { conversationMonths } = await readRetention(db);
  return doDaily(db, 'erase-conversations', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('conversations')
      .where('last_at', '<', monthsBefore(now, conversationMonths))
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await noteErased(trx, tables);
    return Number(numDeletedRows);
  });
}
