import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { ownerStays } from './queries.server.ts';

/**
 * The public bower of a certificate's holder (P65); null when they show none, staff hide it, or they closed their
 * account. Whether the certificate's page leads there is its holder's choice.
 */
export async function bowerOfHolder(db: Db, certificateId: number): Promise<{ name: string; slug: string } | null> {
  const row = await db
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'certificates.place_id')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .innerJoin('bowers', 'bowers.person_id', 'attendees.person_id')
    .select(['bowers.name', 'slug'])
    .where('certificates.id', '=', certificateId)
    .where('certificates.state', '=', 'issued')
    .where('hidden_at', 'is', null)
    .where(ownerStays)
    .where(
      sql<boolean>`exists (select from person_emails
        where person_emails.person_id = bowers.person_id and email = lower(holder_email))`,
    )
    .executeTakeFirst();
  return row?.name && row.slug ? { name: row.name, slug: row.slug } : null;
}
