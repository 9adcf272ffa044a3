import type { Db, Trx } from '#app/db/client.server.ts';
import { type Actor, personIdOf } from '#app/features/people/actor.ts';

type Correction = {
  enrolmentId: number;
  /** Null: the buyer's own details. */
  attendeeId: number | null;
  /** Which fields differ now; `person`: it is another person. */
  fields: Readonly<Record<string, boolean>>;
  /** Null when the name stays. */
  names: { before: string | null; after: string | null } | null;
  actor: Actor;
  at: Date;
};

/**
 * Records which details of a buyer or an attendee were corrected, by whom, and the name before and after (P83): staff
 * see what buyers change by themselves. Erased with the people it names.
 */
export async function recordCorrection(
  trx: Trx,
  { enrolmentId, attendeeId, fields, names, actor, at }: Correction,
): Promise<void> {
  await trx
    .insertInto('corrections')
    .values({
      enrolment_id: enrolmentId,
      attendee_id: attendeeId,
      at,
      by_kind: actor.kind,
      person_id: personIdOf(actor),
      fields: Object.keys(fields).filter((field) => fields[field]),
      name_before: names?.before ?? null,
      name_after: names?.after ?? null,
    })
    .execute();
}

/** The corrections of an enrolment, oldest first. */
export function correctionsOf(db: Db, enrolmentId: number) {
  return db
    .selectFrom('corrections')
    .leftJoin('people', 'people.id', 'person_id')
    .leftJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['corrections.id', 'at', 'by_kind', 'fields', 'name_before', 'name_after', 'people.name as by'])
    .select(['attendee_id', 'attendees.name as attendee'])
    .where('corrections.enrolment_id', '=', enrolmentId)
    .orderBy('corrections.id')
    .execute();
}
