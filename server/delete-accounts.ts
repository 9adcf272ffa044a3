import type { Db, Trx } from '#app/db/client.server.ts';
import { findHeldPerson } from '#app/features/people/addresses.server.ts';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { eraseHeld, parts, removeFiles, runningParts } from './personal-records.ts';

const job = 'delete accounts';
const dayMs = 24 * 60 * 60_000;
type Erased = Awaited<ReturnType<typeof eraseHeld>>;

/**
 * The periodic job: deletes accounts that were closed seven days ago (P58), with all that is held about the person.
 * What belongs to an enrolment that still runs stays and is looked at each day until it is over. Returns how many
 * accounts were deleted.
 */
export async function deleteAccounts(db: Db, { dataDir, at }: { dataDir: string; at: Date }): Promise<number> {
  const keyOf = ({ id }: { id: number }) => `person:${id}`;
  const erased: Erased[] = [];
  const due = await closures(db).where('deleted_at', 'is', null).where('delete_from', '<=', at).execute();
  const deleted = await eachItem(db, { job, items: due, keyOf, at }, async (trx, { id }) => {
    const person = await lockClosed(trx, id);
    if (!person) return false;
    // Before the person's row may go, and this one with it.
    await trx
      .updateTable('account_closures')
      .set({ deleted_at: at, looked_at: at })
      .where('person_id', '=', id)
      .execute();
    const gone = await eraseHeld(trx, person, { at, parts });
    await forgetDone(trx, id);
    erased.push(gone);
    return true;
  });
  const kept = await closures(db)
    .where('deleted_at', 'is not', null)
    .where(({ or, eb }) =>
      or([
        eb('looked_at', '<=', new Date(at.getTime() - dayMs)),
        // Of a clock that was wrong.
        eb('looked_at', '>', new Date(at.getTime() + dayMs)),
      ]),
    )
    .execute();
  await eachItem(db, { job, items: kept, keyOf, at }, async (trx, { id }) => {
    const person = await lockClosed(trx, id);
    if (!person) return false;
    const account = await trx.selectFrom('players').select('since').where('person_id', '=', id).executeTakeFirst();
    if (account) {
      // The person came back: the remaining records are theirs again.
      await trx.deleteFrom('account_closures').where('person_id', '=', id).execute();
      return true;
    }
    await trx.updateTable('account_closures').set({ looked_at: at }).where('person_id', '=', id).execute();
    const gone = await eraseHeld(trx, person, { at, parts: runningParts });
    await forgetDone(trx, id);
    erased.push(gone);
    return true;
  });
  for (const one of erased) await removeFiles(one, dataDir);
  return deleted;
}

const closures = (db: Db) =>
  db.selectFrom('account_closures').select('person_id as id').orderBy('delete_from').limit(limitOf(job, 100));

/** Locks a closed account; null when it was kept meanwhile, or its owner is staff, whose account stays. */
async function lockClosed(trx: Trx, id: number) {
  const person = await trx
    .selectFrom('people')
    .innerJoin('account_closures', 'person_id', 'people.id')
    .select('people.email')
    .where('people.id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('staff_roles').select('role').where('staff_roles.person_id', '=', id))),
    )
    .forUpdate('people')
    .executeTakeFirst();
  if (!person) return null;
  if (person.email !== null) return findHeldPerson(trx, person.email);
  // Erased meanwhile.
  await trx.deleteFrom('account_closures').where('person_id', '=', id).execute();
  return null;
}

/** Once nothing names the person any more, nothing is left to look at. */
async function forgetDone(trx: Trx, id: number): Promise<void> {
  await trx
    .deleteFrom('account_closures')
    .where('person_id', '=', id)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('people').select('people.id').where('people.id', '=', id).where('email', 'is', null)),
    )
    .execute();
}
