import type { Db } from '#app/db/client.server.ts';

/** The badge of a certificate as it was signed; null while it is not signed. */
export async function findBadge(
  db: Db,
  certificateId: number,
): Promise<{ credential: string; origin: string; key: string; keyMadeAt: Date; listId: number } | null> {
  const row = await db
    .selectFrom('certificate_badges')
    .innerJoin('badge_keys', 'badge_keys.id', 'key_id')
    .select(['credential', 'origin', 'badge_keys.name', 'made_at', 'list_id'])
    .where('certificate_id', '=', certificateId)
    .executeTakeFirst();
  if (!row?.credential || !row.origin) return null;
  const { credential, origin, name, made_at, list_id } = row;
  return { credential, origin, key: name, keyMadeAt: made_at, listId: list_id };
}

/** A status list as it was signed last; null when there is none. */
export async function findList(db: Db, listId: number): Promise<{ credential: string; signedAt: Date } | null> {
  const row = await db
    .selectFrom('badge_lists')
    .select(['credential', 'signed_at'])
    .where('id', '=', listId)
    .executeTakeFirst();
  return row?.credential && row.signed_at ? { credential: row.credential, signedAt: row.signed_at } : null;
}
