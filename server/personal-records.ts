import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '#app/db/client.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { rewriteTables } from '#app/db/rewrite-tables.server.ts';
import { bookingRecords } from '#app/features/bookings/erase.server.ts';
import { conversationRecords } from '#app/features/conversations/erase.server.ts';
import { enquiryRecords } from '#app/features/enquiries/personal-records.server.ts';
import { draftRecords } from '#app/features/enrolling/drafts.server.ts';
import { enrolmentRecords } from '#app/features/enrolments/personal-records.server.ts';
import { waitingRecords } from '#app/features/waiting/records.server.ts';
import { mailRecords, marketingRecords } from '#app/outbox/erase-mail.server.ts';

/** Every part of the program that holds something about people. A new one adds its records here. */
const parts: readonly PersonalRecords[] = [
  // First, because it locks seats.
  waitingRecords,
  mailRecords,
  enquiryRecords,
  bookingRecords,
  conversationRecords,
  draftRecords,
  enrolmentRecords,
  marketingRecords,
];

/** All that is held about an e-mail address, by part. */
export async function exportPerson(db: Db, address: string): Promise<Record<string, readonly object[]>> {
  const records = parts.map(async (part) => [part.name, await part.read(db, address)] as const);
  return Object.fromEntries(await Promise.all(records));
}

/**
 * Erases all that is held about an e-mail address: in one transaction, then from the tables' files and from this
 * computer's data folder. `at` is the true time. Returns how many records each part held.
 */
export async function erasePerson(
  db: Db,
  address: string,
  { dataDir, at }: { dataDir: string; at: Date },
): Promise<Record<string, number>> {
  const erased = await db.transaction().execute(async (trx) => {
    const results = [];
    for (const part of parts) results.push({ part, ...(await part.erase(trx, address, at)) });
    return results;
  });
  const tables = erased.flatMap(({ part, count }) => (count > 0 ? part.tables : []));
  await rewriteTables(db, [...new Set(tables)]);
  for (const { files = [] } of erased) for (const file of files) await rm(path.join(dataDir, file), { force: true });
  return Object.fromEntries(erased.map(({ part, count }) => [part.name, count]));
}
