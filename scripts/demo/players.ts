import { showBower } from '#app/features/bower/commands.server.ts';
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

/** Players who finished a course show their bower to everybody (P63). */
export async function showOwnBower(stage: Stage, placeId: number): Promise<string | null> {
  const { db } = stage;
  const { now } = stage.moment();
  const holder = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(['attendees.name', 'attendees.email'])
    .where('places.id', '=', placeId)
    .executeTakeFirstOrThrow();
  const { name, email } = holder;
  const personId = email === null ? null : await becomePlayer(stage, email, now);
  if (personId === null || name === null) return null;
  const wanted = {
    personId,
    ownName: name,
    typed: `${name.split(' ')[0]} of ${stage.draw.of(['Moreton', 'Logan', 'Yarra', 'Torrens', 'Derwent'])} ${1 + stage.draw.below(99)}`,
  };
  const shown = await stage.transaction((trx) => showBower(trx, wanted, now));
  return shown.ok ? 'bowers shown' : null;
}
