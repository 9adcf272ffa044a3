import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { goingOnFor } from './ended-enrolments.server.ts';

/**
 * For each address, in lower case, how many enrolments of a person that are not over write to it: as the buyer or as an
 * attendee. They keep it when it is no longer among the addresses of the account.
 */
export async function countAddressesInUse(db: Db, personId: number, today: Day): Promise<Map<string, number>> {
  const going = await goingOnFor(db, personId, today).select(['id', 'email', 'person_id']).execute();
  const ids = [0, ...going.map(({ id }) => id)];
  const attendees = await db
    .selectFrom('attendees')
    .select(['enrolment_id as id', 'email', 'person_id'])
    .where('person_id', '=', personId)
    .where('enrolment_id', 'in', ids)
    .execute();
  const inUse = new Map<string, Set<number>>();
  for (const { id, email, person_id } of [...going, ...attendees]) {
    if (person_id !== personId || email === null) continue;
    const address = email.toLowerCase();
    inUse.set(address, (inUse.get(address) ?? new Set()).add(id));
  }
  return new Map([...inUse].map(([address, its]) => [address, its.size]));
}
