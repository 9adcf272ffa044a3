import type { Db } from '#app/db/client.server.ts';
import {
  endClosureOfPlayer,
  forgetClosure,
  lockClosedPerson,
  markDeleted,
  markLookedAt,
  readClosuresDue,
  readClosuresToLookAt,
} from '#app/features/people/account-closures.server.ts';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { eraseHeld, parts, removeFiles, runningParts } from './personal-records.ts';

const job = 'delete accounts';
type Erased = Awaited<ReturnType<typeof eraseHeld>>;

/**
 * The periodic job: deletes accounts that were closed seven days ago (P58), with all that is held about the person.
 * What belongs to an enrolment that still runs stays and is looked at each day until it is over. Returns how many
 * accounts were deleted.
 */
export async function deleteAccounts(db: Db, { dataDir, at }: { dataDir: string; at: Date }): Promise<number> {
  const keyOf = ({ id }: { id: number }) => `person:${id}`;
  const erased: Erased[] = [];
  const due = await readClosuresDue(db, at, limitOf(job, 100));
  const deleted = await eachItem(db, { job, items: due, keyOf, at }, async (trx, { id }) => {
    const person = await lockClosedPerson(trx, id);
    if (!person) return false;
    // Before the person's row may go, and this one with it.
    await markDeleted(trx, id, at);
    const gone = await eraseHeld(trx, person, { at, parts });
    await forgetClosure(trx, id);
    erased.push(gone);
    return true;
  });
  const kept = await readClosuresToLookAt(db, at, limitOf(job, 100));
  await eachItem(db, { job, items: kept, keyOf, at }, async (trx, { id }) => {
    const person = await lockClosedPerson(trx, id);
    if (!person) return false;
    if (await endClosureOfPlayer(trx, id)) return true;
    await markLookedAt(trx, id, at);
    const gone = await eraseHeld(trx, person, { at, parts: runningParts });
    await forgetClosure(trx, id);
    erased.push(gone);
    return true;
  });
  for (const one of erased) await removeFiles(one, dataDir);
  return deleted;
}
