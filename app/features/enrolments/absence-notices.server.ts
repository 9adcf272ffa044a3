import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';

/**
 * Writes that an attendee cannot come on some days; without days they come. A second notice of one day replaces the
 * first, and is then true.
 */
export async function writeAbsenceNotice(
  trx: Trx,
  { placeId, days, note }: { placeId: number; days: readonly Day[]; note: string | null },
  { now, today }: { now: Date; today: Day },
): Promise<boolean> {
  const said = { told_at: now, days: sql<string[]>`${days}::date[]`, note };
  const sameDay = await trx
    .updateTable('absence_notices')
    .set(said)
    .where('place_id', '=', placeId)
    .where('told_on', '=', today)
    .returning('id')
    .executeTakeFirst();
  if (sameDay) return true;
  await trx
    .insertInto('absence_notices')
    .values({ place_id: placeId, told_on: today, ...said })
    .execute();
  return false;
}

/** Forgets the notices of places that another person takes, who may well come. */
export async function forgetAbsenceNotices(trx: Trx, placeIds: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('absence_notices')
    .where('place_id', 'in', [0, ...placeIds])
    .execute();
}

/** Erases the words of notices; their days stay. */
export function eraseAbsenceNotes(trx: Db, placeIds: readonly number[]) {
  return trx
    .updateTable('absence_notices')
    .set({ note: null })
    .where('note', 'is not', null)
    .where('place_id', 'in', placeIds)
    .executeTakeFirstOrThrow();
}
