import { addWish } from '#app/features/wishes/commands.server.ts';
import type { Stage } from './stage.ts';

/** The person with an email address, with an account from now on; null while nobody has the address. */
async function becomePlayer({ db }: Stage, email: string, at: Date): Promise<number | null> {
  const person = await db.selectFrom('person_emails').select('person_id').where('email', '=', email).executeTakeFirst();
  if (!person) return null;
  await db
    .insertInto('players')
    .values({ person_id: person.person_id, since: at })
    .onConflict((same) => same.doNothing())
    .execute();
  return person.person_id;
}

/** A player wishes for some courses. */
export async function wish(stage: Stage, email: string, courseIds: readonly number[]): Promise<string | null> {
  const { now } = stage.moment();
  const personId = await becomePlayer(stage, email, now);
  if (personId === null) return null;
  for (const courseId of courseIds) await stage.transaction((trx) => addWish(trx, { personId, courseId }, now));
  return 'players with wishes';
}

/** Somebody who finished a course opens an account, where their bower is (P63). */
export async function openOwnAccount(stage: Stage, placeId: number): Promise<string | null> {
  const { email } = await stage.db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('attendees.email')
    .where('places.id', '=', placeId)
    .executeTakeFirstOrThrow();
  const personId = email === null ? null : await becomePlayer(stage, email, stage.moment().now);
  return personId === null ? null : 'accounts opened';
}
