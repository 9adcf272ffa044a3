import type { Stage } from './stage.ts';

/** The person with an email address opens an account. */
export async function openAccount({ db, moment }: Stage, email: string): Promise<string | null> {
  const person = await db.selectFrom('person_emails').select('person_id').where('email', '=', email).executeTakeFirst();
  if (!person) return null;
  const opened = await db
    .insertInto('players')
    .values({ person_id: person.person_id, since: moment().now })
    .onConflict((same) => same.doNothing())
    .returning('person_id')
    .executeTakeFirst();
  return opened ? 'accounts opened' : null;
}

/** Somebody who finished a course opens an account, where their bower is (P63). */
export async function openFinishersAccount(stage: Stage, placeId: number): Promise<string | null> {
  const { email } = await stage.db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('attendees.email')
    .where('places.id', '=', placeId)
    .executeTakeFirstOrThrow();
  return email === null ? null : openAccount(stage, email);
}
