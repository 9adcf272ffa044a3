import type { Db } from '#app/db/client.server.ts';

/**
 * The place of a certificate that a person holds, by themselves or by one of their proved addresses; `person_id` is of
 * the attendee now, who may be somebody else (P64).
 */
export function findOwnCertificate(db: Db, { number, personId }: { number: string; personId: number }) {
  return db
    .selectFrom('certificates')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['places.id', 'attendee_id', 'attendees.enrolment_id', 'person_id'])
    .where('certificates.number', '=', number)
    .where('certificates.state', '<>', 'undone')
    .where(({ or, eb, exists, selectFrom, fn }) =>
      or([
        eb('attendees.person_id', '=', personId),
        exists(
          selectFrom('person_emails')
            .select('email')
            .where('person_emails.person_id', '=', personId)
            .where('verified_at', 'is not', null)
            .where('email', '=', fn<string>('lower', ['holder_email'])),
        ),
      ]),
    )
    .executeTakeFirst();
}
