import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import type { Certificate } from './certificate.ts';
import type { CertificateFacts } from './facts.ts';
import { tidied } from './name-rule.ts';

/**
 * The certificate of a number as it is stored; null when there is none, or when it was undone before anybody was told.
 */
export async function findCertificate(db: Db, number: string): Promise<Certificate | null> {
  const row = await rows(db)
    .where('certificates.number', '=', number)
    .where('certificates.state', '<>', 'undone')
    .executeTakeFirst();
  return row ? certificateOf(row) : null;
}

/** The certificates of a place, those that were undone left out, the latest first. */
async function certificatesOfPlace(db: Db, placeId: number): Promise<Certificate[]> {
  return (await certificatesOfPlaces(db, [placeId])).get(placeId) ?? [];
}

/** The same for several places. */
export async function certificatesOfPlaces(
  db: Db,
  placeIds: readonly number[],
): Promise<ReadonlyMap<number, Certificate[]>> {
  const found = await rows(db)
    .where('certificates.place_id', 'in', [0, ...placeIds])
    .where('certificates.state', '<>', 'undone')
    .orderBy('certificates.id', 'desc')
    .execute();
  return Map.groupBy(found.map(certificateOf), ({ placeId }) => placeId);
}

/**
 * The certificate of the person who attends a place: the one that holds, or the last one there was. Null when it
 * was somebody else's, whose place this person was given afterwards: then neither name nor address is the same.
 */
export async function ownOfPlace(db: Db, placeId: number): Promise<Certificate | null> {
  const all = await certificatesOfPlace(db, placeId);
  const current = all.find(({ state }) => state === 'issued') ?? all[0];
  if (!current) return null;
  const attends = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['name', 'email'])
    .where('places.id', '=', placeId)
    .executeTakeFirst();
  const holder = await db
    .selectFrom('certificates')
    .select('holder_email as email')
    .where('id', '=', current.id)
    .executeTakeFirst();
  const sameAddress = attends?.email && holder?.email && mailboxOf(attends.email) === mailboxOf(holder.email);
  const sameName = attends?.name && all.some(({ holderName }) => holderName === tidied(attends.name ?? ''));
  return sameAddress || sameName ? current : null;
}

/** Certificates as rows, for queries of this room. */
export function rows(db: Db) {
  return db
    .selectFrom('certificates')
    .leftJoin('certificates as next', 'next.supersedes', 'certificates.id')
    .leftJoin('certificates as last', 'last.id', 'certificates.supersedes')
    .select(['certificates.id', 'certificates.number', 'certificates.place_id', 'certificates.facts'])
    .select(['certificates.holder_name', 'certificates.shows', 'certificates.state', 'certificates.issued_at'])
    .select(['certificates.ended_at', 'certificates.reason'])
    .select(['next.number as next_number', 'last.number as last_number']);
}

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

/** A row as a certificate. */
export const certificateOf = (row: Row): Certificate => ({
  id: row.id,
  number: row.number,
  placeId: row.place_id,
  // Written by this room only, and never changed; so with the words of the columns' checks.
  facts: row.facts as unknown as CertificateFacts,
  holderName: row.holder_name,
  shows: row.shows,
  state: row.state,
  issuedAt: row.issued_at,
  endedAt: row.ended_at,
  reason: row.reason,
  supersededBy: row.next_number,
  supersedes: row.last_number,
});
