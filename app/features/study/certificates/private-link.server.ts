import type { Db } from '#app/db/client.server.ts';
import { findLink } from '#app/features/enrolments/links.server.ts';
import type { Certificate } from './certificate.ts';
import { ownOfPlace } from './queries.server.ts';

/** The certificate of a place under an attendee's private link (P32); null when the link is not that of the place. */
export async function findByLink(
  db: Db,
  { token, placeId }: { token: string; placeId: string },
): Promise<Certificate | null> {
  if (!/^\d{1,15}$/.test(placeId)) return null;
  const link = await findLink(db, token);
  if (!link || link.attendeeId === null) return null;
  const place = await db
    .selectFrom('places')
    .select('id')
    .where('id', '=', Number(placeId))
    .where('attendee_id', '=', link.attendeeId)
    .executeTakeFirst();
  return place ? ownOfPlace(db, place.id) : null;
}
