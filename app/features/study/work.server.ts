import type { Db } from '#app/db/client.server.ts';

/** The work that a place asks for besides attendance or exercises (P61). */
export type AskedWork = {
  /** The description of the work when the place was sold. */
  text: string;
  /** The instant at which the work was accepted; null while it is not. */
  acceptedAt: Date | null;
};

/** The instants at which the work of places was accepted: the last mark counts. */
export async function readAcceptedWork(db: Db, placeIds: readonly number[]): Promise<Map<number, Date>> {
  const rows = await db
    .selectFrom('work_marks')
    .select(['place_id', 'accepted', 'marked_at'])
    .where('place_id', 'in', placeIds)
    .orderBy('id')
    .execute();
  const found = new Map<number, Date>();
  for (const { place_id, accepted, marked_at } of rows) {
    if (accepted) found.set(place_id, marked_at);
    else found.delete(place_id);
  }
  return found;
}
