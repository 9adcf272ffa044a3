import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { Place, PlaceSession } from './enrolment.ts';
import { staysInWords } from './words.ts';

/**
 * The ids of the places that stay with the person who attended them (P50, P64): those with a certificate, those whose
 * last class is over, and guided study that is over. They are never given to somebody else.
 */
export async function staysWithAttendee(db: Db, places: readonly Place[], now: Date): Promise<ReadonlySet<number>> {
  const certified = await db
    .selectFrom('certificates')
    .select('place_id')
    .where('place_id', 'in', [0, ...places.map(({ id }) => id)])
    .where('state', 'in', ['issued', 'withdrawn'])
    .execute();
  const stays = new Set(certified.map(({ place_id }) => place_id));
  for (const place of places) {
    if (
      place.state === 'completed' ||
      (place.state === 'active' && place.session !== null && isOver(place.session, now))
    )
      stays.add(place.id);
  }
  return stays;
}

/** What an attendee's page says before anybody else is named; null where nothing stays with them. */
export async function whatStays(db: Db, places: readonly Place[], now: Date): Promise<string | null> {
  const stays = await staysWithAttendee(db, places, now);
  const titles = places.flatMap(({ id, courseTitle }) => (stays.has(id) ? courseTitle : []));
  const open = places.some(({ id, state }) => state === 'active' && !stays.has(id));
  return staysInWords(places[0]?.attendee.name ?? null, [...new Set(titles)], open);
}

/** Whether the last class of a session has ended. */
export const isOver = ({ endsOn, endsAt, zone }: PlaceSession, now: Date): boolean =>
  instantOf(endsOn, endsAt, zone) <= now;

/**
 * Moves places to an attendee of their own who is the same person, with the private links and the dates that they were
 * moved from. The other places keep their attendee, who becomes another person.
 */
export async function partAttendee(trx: Trx, attendeeId: number, placeIds: readonly number[]): Promise<void> {
  const { id } = await trx
    .insertInto('attendees')
    .columns([
      ...(['enrolment_id', 'name', 'email', 'mailbox', 'under_18', 'guardian_name', 'guardian_email'] as const),
      ...(['told', 'parted_from'] as const),
    ])
    .expression(
      trx
        .selectFrom('attendees')
        .select(['enrolment_id', 'name', 'email', 'mailbox', 'under_18', 'guardian_name', 'guardian_email', 'told'])
        .select(sql<number>`coalesce(parted_from, id)`.as('parted_from'))
        .where('id', '=', attendeeId),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('attendee_handovers')
    .columns(['attendee_id', 'at', 'person_before'])
    .expression(
      trx
        .selectFrom('attendee_handovers')
        .select([sql<number>`${id}::bigint`.as('attendee_id'), 'at', 'person_before'])
        .where('attendee_id', '=', attendeeId),
    )
    .execute();
  await sql`with recursive kept as (
      select id, transferred_from from places where id = any(${[...placeIds]}::bigint[])
      union select places.id, places.transferred_from from places join kept on places.id = kept.transferred_from
    ) update places set attendee_id = ${id} where id in (select id from kept)`.execute(trx);
  await trx.updateTable('private_links').set({ attendee_id: id }).where('attendee_id', '=', attendeeId).execute();
}
