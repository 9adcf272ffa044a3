import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '#app/db/client.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { readErased, rewriteErasedIfAlone } from '#app/db/rewrite-tables.server.ts';
import { bookingRecords } from '#app/features/bookings/erase.server.ts';
import { shownBowerRecords } from '#app/features/bower/personal-records.server.ts';
import { certificateRecords } from '#app/features/certificates/personal-records.server.ts';
import { conversationRecords } from '#app/features/conversations/erase.server.ts';
import { enquiryRecords } from '#app/features/enquiries/personal-records.server.ts';
import { draftRecords } from '#app/features/enrolling/drafts.server.ts';
import { enrolmentRecords } from '#app/features/enrolments/personal-records.server.ts';
import { accountRecords } from '#app/features/people/account-records.server.ts';
import { findHeldPerson, forgetPeople, peopleRecords } from '#app/features/people/addresses.server.ts';
import { progressRecords } from '#app/features/progress/personal-records.server.ts';
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
  // Before the enrolments, which forget whose places they are.
  progressRecords,
  // Before those of enrolments, by whose attendees it finds its own.
  certificateRecords,
  shownBowerRecords,
  enrolmentRecords,
  marketingRecords,
  accountRecords,
  // Last: a person to whom other records still refer is kept.
  peopleRecords,
];

/** All that is held about the person with an email address, by part. */
export async function exportPerson(db: Db, address: string): Promise<Record<string, readonly object[]>> {
  const person = await findHeldPerson(db, address);
  const records = parts.map(async (part) => [part.name, await part.read(db, person)] as const);
  return Object.fromEntries(await Promise.all(records));
}

/** How many records each part held, and which tables' files still hold what was erased. */
export type ErasedPerson = { counts: Record<string, number>; inFilesOf: readonly string[] };

/**
 * Erases all that is held about the person with an email address, in one transaction, and this computer's files of mail.
 * The tables' files are written anew at once when no other program is connected, otherwise in the coming night.
 */
export async function erasePerson(
  db: Db,
  address: string,
  { dataDir, at }: { dataDir: string; at: Date },
): Promise<ErasedPerson> {
  const erased = await db.transaction().execute(async (trx) => {
    const person = await findHeldPerson(trx, address);
    const results = [];
    for (const part of parts) results.push({ part, ...(await part.erase(trx, person, at)) });
    // Whom a correction named is somebody else with nothing left as well.
    await forgetPeople(
      trx,
      results.flatMap(({ part, count }) => (count > 0 ? part.tables : [])),
    );
    return results;
  });
  for (const { files = [] } of erased) for (const file of files) await rm(path.join(dataDir, file), { force: true });
  await rewriteErasedIfAlone(db);
  return {
    counts: Object.fromEntries(erased.map(({ part, count }) => [part.name, count])),
    inFilesOf: (await readErased(db)).map(({ name }) => name),
  };
}
