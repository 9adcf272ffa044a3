import type { Db } from '#app/db/client.server.ts';
import { heldPersonOf } from '#app/features/people/addresses.server.ts';
import type { OwnData } from '#app/features/people/own-data.ts';
import { exportHeld } from './personal-records.ts';

/**
 * All that is held about a person, for themselves (P58): what `npm run privacy -- export` prints, without keys that say
 * nothing to people, and without what other attendees of an enrolment said of themselves.
 */
export async function readOwnData(db: Db, personId: number): Promise<OwnData> {
  const held = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const person = await heldPersonOf(trx, personId);
      return { person, parts: await exportHeld(trx, person) };
    });
  const own = new Set(held.person.addresses);
  return Object.fromEntries(
    Object.entries(held.parts).map(([part, records]) => [part, records.map((record) => shown(record, own) as object)]),
  );
}

/** Keys and hashes by which the program finds or compares something. */
const keys = /^(?:mailbox|network|person_id|idempotency_key|dedupe_key|.*_hash|.*_token|token)$/;
/** Fields of other attendees that a buyer does not see. */
const ofOthers = /^(?:needs|under_18|guardian_name|guardian_email)$/;

function shown(value: unknown, own: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => shown(one, own));
  if (value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value)) return value;
  const email = 'email' in value && typeof value.email === 'string' ? value.email.toLowerCase() : null;
  const others = 'guardian_name' in value && !(email !== null && own.has(email));
  const kept = Object.entries(value).filter(([name]) => !keys.test(name) && !(others && ofOthers.test(name)));
  return Object.fromEntries(kept.map(([name, part]) => [name, shown(part, own)]));
}
