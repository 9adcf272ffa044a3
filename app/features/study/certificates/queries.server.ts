import type { Db } from '#app/db/client.server.ts';
import type { Certificate } from './certificate.ts';
import type { CertificateFacts } from './facts.ts';

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

/** The last of the certificates that took the place of one; itself when it was not issued again. */
export async function lastOf(db: Db, certificate: Certificate): Promise<Certificate> {
  let last = certificate;
  while (last.supersededBy) last = (await findCertificate(db, last.supersededBy)) ?? { ...last, supersededBy: null };
  return last;
}

/** The certificates of places, those that were undone left out, the latest first. */
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

/** The certificate of a place: the one that holds, or the last one there was. */
export async function ownOfPlace(db: Db, placeId: number): Promise<Certificate | null> {
  const found = await rows(db)
    .where('certificates.place_id', '=', placeId)
    .where('certificates.state', '<>', 'undone')
    .orderBy('certificates.id', 'desc')
    .execute();
  const all = found.map(certificateOf);
  return all.find(({ state }) => state === 'issued') ?? all[0] ?? null;
}

/** The certificates of some places that hold. */
export async function earnedOnPlaces(db: Db, placeIds: readonly number[]): Promise<Certificate[]> {
  const found = await rows(db)
    .where('certificates.place_id', 'in', [0, ...placeIds])
    .where('certificates.state', '=', 'issued')
    .orderBy('certificates.issued_at')
    .orderBy('certificates.id')
    .execute();
  return found.map(certificateOf);
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
