import type { Db } from '#app/db/client.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';

/**
 * A person's certificates. Erasing removes name and address; the numbers are still answered, without a name, because
 * others rely on them.
 */
export const certificateRecords: PersonalRecords = {
  name: 'certificates',
  tables: ['certificates', 'certificate_names', 'certificate_badges', 'certificate_consents'],
  async read(db, person) {
    return db
      .selectFrom('certificates')
      .select(['number', 'holder_name', 'holder_email', 'facts', 'shows', 'state', 'issued_at', 'ended_at', 'reason'])
      .select(({ selectFrom }) =>
        selectFrom('certificate_names')
          .select(({ fn }) => fn.agg<string[]>('array_agg', ['name']).as('names'))
          .whereRef('certificate_id', '=', 'certificates.id')
          .as('namesAskedFor'),
      )
      .where('certificates.id', 'in', idsOf(db, person))
      .orderBy('certificates.id')
      .execute();
  },
  async erase(trx, person) {
    const rows = await idsOf(trx, person).execute();
    const ids = [0, ...rows.map(({ id }) => id)];
    await trx.updateTable('certificate_names').set({ name: null }).where('certificate_id', 'in', ids).execute();
    // It holds a hash of the address. Its bit stays, so that copies of the badge still show whether it is valid.
    await trx
      .updateTable('certificate_badges')
      .set({ credential: null, key_id: null, origin: null, signed_at: null })
      .where('certificate_id', 'in', ids)
      .execute();
    const places = trx.selectFrom('certificates').select('place_id').where('id', 'in', ids);
    await trx.deleteFrom('certificate_consents').where('place_id', 'in', places).execute();
    const erased = await trx
      .updateTable('certificates')
      .set({ holder_name: null, holder_email: null, shows: 'valid' })
      .where('id', 'in', ids)
      .returning('id')
      .execute();
    return { count: erased.length };
  },
};

/** Certificates issued to an address of the person, or for one of their places. */
const idsOf = (db: Db, { id, addresses }: HeldPerson) =>
  db
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('certificates.id')
    .where(({ or, eb, fn }) =>
      or([eb(fn<string>('lower', ['holder_email']), 'in', addresses), eb('attendees.person_id', '=', id)]),
    )
    .where(({ or, eb }) => or([eb('holder_name', 'is not', null), eb('holder_email', 'is not', null)]));
