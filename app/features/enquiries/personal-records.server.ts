import type { Db } from '#app/db/client.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';

/** What people sent, with what it corrects and what corrects it: that came from the same form. */
export const enquiryRecords: PersonalRecords = {
  name: 'enquiries',
  tables: ['enquiries'],
  async read(db, address) {
    const rows = await db
      .selectFrom('enquiries')
      .selectAll()
      .where('reference', 'in', await referencesOf(db, address))
      .orderBy('id')
      .execute();
    return rows.map(({ id: _, idempotency_key: __, body_hash: ___, ...row }) => row);
  },
  async erase(trx, address) {
    const { numDeletedRows } = await trx
      .deleteFrom('enquiries')
      .where('reference', 'in', await referencesOf(trx, address))
      .executeTakeFirstOrThrow();
    return { count: Number(numDeletedRows) };
  },
};

async function referencesOf(db: Db, address: string): Promise<string[]> {
  const own = await db
    .selectFrom('enquiries')
    .select(['reference', 'corrects'])
    .where((row) => row(row.fn<string>('lower', ['email']), '=', address.toLowerCase()))
    .execute();
  const firsts = own.map(({ reference, corrects }) => corrects ?? reference);
  const all = await db
    .selectFrom('enquiries')
    .select('reference')
    .where((row) => row.or([row('reference', 'in', ['', ...firsts]), row('corrects', 'in', ['', ...firsts])]))
    .execute();
  return ['', ...all.map(({ reference }) => reference)];
}
