import type { Db, Trx } from '#app/db/client.server.ts';

/** The numbers of certificates that hold and that their holders let the organisation see, by place (P116). */
export async function certificatesSeenByEmployer(db: Db, placeIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('certificates')
    .innerJoin('certificate_consents', 'certificate_consents.place_id', 'certificates.place_id')
    .select(['certificates.place_id', 'number'])
    .where('certificates.place_id', 'in', [0, ...placeIds])
    .where('state', '=', 'issued')
    .execute();
  return new Map(rows.map(({ place_id, number }) => [place_id, number]));
}

/** The organisation of a place's enrolment, and whether it may see the certificate; null when it belongs to none. */
export async function readEmployer(db: Db, placeId: number): Promise<{ name: string; sees: boolean } | null> {
  const row = await db
    .selectFrom('places')
    .innerJoin('enrolments', 'enrolments.id', 'enrolment_id')
    .innerJoin('organisations', 'organisations.id', 'organisation_id')
    .leftJoin('certificate_consents', 'certificate_consents.place_id', 'places.id')
    .select(['legal_name', 'trading_name', 'given_at'])
    .where('places.id', '=', placeId)
    .executeTakeFirst();
  return row ? { name: row.trading_name ?? row.legal_name, sees: row.given_at !== null } : null;
}

/** Stores whether the organisation of a certificate's enrolment sees it, as its holder chose (P116). */
export async function letEmployerSee(
  trx: Trx,
  { number, sees, at }: { number: string; sees: boolean; at: Date },
): Promise<void> {
  const { place_id } = await trx
    .selectFrom('certificates')
    .select('place_id')
    .where('number', '=', number)
    .executeTakeFirstOrThrow();
  if (!sees) await trx.deleteFrom('certificate_consents').where('place_id', '=', place_id).execute();
  else
    await trx
      .insertInto('certificate_consents')
      .values({ place_id, given_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
