import type { Db } from '#app/db/client.server.ts';
import { isWithin, type Span } from './spans.ts';

/** The work that a place asks for besides attendance or exercises (P61). */
export type AskedWork = {
  /** The description of the work when the place was sold. */
  text: string;
  /** When the work of the present attendee was accepted; null while it is not. */
  acceptedAt: Date | null;
};

/** When the work of places was accepted: the last mark counts, of the marks made while the person had the place. */
export async function readAcceptedWork(db: Db, held: ReadonlyMap<number, readonly Span[]>): Promise<Map<number, Date>> {
  const rows = await db
    .selectFrom('work_marks')
    .select(['place_id', 'accepted', 'marked_at'])
    .where('place_id', 'in', [...held.keys()])
    .orderBy('id')
    .execute();
  const found = new Map<number, Date>();
  for (const { place_id, accepted, marked_at } of rows) {
    if (!isWithin(held.get(place_id) ?? [], marked_at)) continue;
    if (accepted) found.set(place_id, marked_at);
    else found.delete(place_id);
  }
  return found;
}
