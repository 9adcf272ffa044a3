import type { Db } from '#app/db/client.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';

const tables = ['bulk_actions'] as const;

/** Deletes the bulk actions, with what staff wrote, of which no email is kept any more. Returns how many. */
export async function eraseWithoutMails(trx: Db): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('bulk_actions')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('mails').select('id').whereRef('bulk_action', '=', 'number'))),
    )
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await noteErased(trx, tables);
  return Number(numDeletedRows);
}

/**
 * Messages that staff wrote to several people. Each person's copy is in their emails; a message is erased with the last
 * of these emails, so this part comes after emails.
 */
export const bulkActionRecords: PersonalRecords = {
  name: 'bulk actions',
  tables,
  read: async () => [],
  erase: async (trx) => ({ count: await eraseWithoutMails(trx) }),
};
