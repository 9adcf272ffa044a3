import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import { readErased, rewriteErasedIfAlone } from '#app/db/rewrite-tables.server.ts';
import { companyRecords } from '#app/features/companies/personal-records.server.ts';
import { draftRecords } from '#app/features/enrolments/enrolling/personal-records.server.ts';
import { enrolmentRecords } from '#app/features/enrolments/personal-records.server.ts';
import { waitingRecords } from '#app/features/enrolments/waiting/records.server.ts';
import { bookingRecords } from '#app/features/inbox/bookings/erase.server.ts';
import { bulkActionRecords } from '#app/features/inbox/bulk-actions/personal-records.server.ts';
import { conversationRecords } from '#app/features/inbox/conversations/erase.server.ts';
import { enquiryRecords } from '#app/features/inbox/enquiries/personal-records.server.ts';
import { accountRecords } from '#app/features/people/account-closures.server.ts';
import { findHeldPerson, forgetPeople, peopleRecords } from '#app/features/people/addresses.server.ts';
import { noteRecords } from '#app/features/people/notes.server.ts';
import { certificateRecords } from '#app/features/study/certificates/personal-records.server.ts';
import { progressRecords } from '#app/features/study/personal-records.server.ts';
import { mailRecords, marketingRecords } from '#app/outbox/erase-mail.server.ts';

/** Every part of the program that holds something about people. A new one adds its records here. */
export const parts: readonly PersonalRecords[] = [
  // First, because it locks seats.
  waitingRecords,
  mailRecords,
  // After the mails, by which it goes.
  bulkActionRecords,
  enquiryRecords,
  bookingRecords,
  conversationRecords,
  draftRecords,
  // Before the enrolments, which forget whose places they are.
  progressRecords,
  // Before those of enrolments, by whose attendees it finds its own.
  certificateRecords,
  enrolmentRecords,
  // After the enrolments that were accepted.
  companyRecords,
  marketingRecords,
  accountRecords,
  noteRecords,
  // Last: a person to whom other records still refer is kept.
  peopleRecords,
];

/** All that is held about the person with an email address, by part. */
export async function exportPerson(db: Db, address: string): Promise<Record<string, readonly object[]>> {
  return exportHeld(db, await findHeldPerson(db, address));
}

/** All that is held about a person and their addresses, by part. */
export async function exportHeld(db: Db, person: HeldPerson): Promise<Record<string, readonly object[]>> {
  const records = parts.map(async (part) => [part.name, await part.read(db, person)] as const);
  return Object.fromEntries(await Promise.all(records));
}

/** Records that stay while an enrolment runs: erased once it is over, when a person has left (P58). */
export const runningParts: readonly PersonalRecords[] = [
  progressRecords,
  certificateRecords,
  enrolmentRecords,
  companyRecords,
  peopleRecords,
];

/** How many records each part held, and which tables' files still hold what was erased. */
export type ErasedPerson = { counts: Record<string, number>; inFilesOf: readonly string[] };

/**
 * Erases all data about the person with an email address, in one transaction, and this computer's files of mail. The
 * tables' files are rewritten at once when no other program is connected, otherwise in the coming night.
 */
export async function erasePerson(
  db: Db,
  address: string,
  { dataDir, at }: { dataDir: string; at: Date },
): Promise<ErasedPerson> {
  const erased = await db
    .transaction()
    .execute(async (trx) => eraseHeld(trx, await findHeldPerson(trx, address), { at, parts }));
  await removeFiles(erased, dataDir);
  await rewriteErasedIfAlone(db);
  return {
    counts: Object.fromEntries(erased.map(({ part, count }) => [part.name, count])),
    inFilesOf: (await readErased(db)).map(({ name }) => name),
  };
}

type ErasedPart = { part: PersonalRecords; count: number; files?: string[]; named?: number[] };

/** Erases what parts hold about a person, in the caller's transaction. */
export async function eraseHeld(
  trx: Trx,
  person: HeldPerson,
  { at, parts: chosen }: { at: Date; parts: readonly PersonalRecords[] },
): Promise<ErasedPart[]> {
  const results: ErasedPart[] = [];
  for (const part of chosen) results.push({ part, ...(await part.erase(trx, person, at)) });
  await forgetPeople(
    trx,
    [...new Set([person.id, ...results.flatMap(({ named = [] }) => named)])],
    results.flatMap(({ part, count }) => (count > 0 ? part.tables : [])),
  );
  return results;
}

/** Removes this computer's files of what was erased, once that is committed. */
export async function removeFiles(erased: readonly ErasedPart[], dataDir: string): Promise<void> {
  for (const { files = [] } of erased) for (const file of files) await rm(path.join(dataDir, file), { force: true });
}
