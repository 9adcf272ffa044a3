import type { Db, Trx } from '#app/db/client.server.ts';
import { doDaily } from '#app/db/daily-job.server.ts';
import type { PersonalRecords } from '#app/db/personal-records.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { endHold, lockCourseDates } from '#app/features/course-dates/seats.server.ts';
import { monthsBefore } from '#app/lib/dates.ts';
import { dayMs } from '#app/lib/durations.ts';
import { hasNoOffer } from './queries.server.ts';
import { confirmDays } from './rules.ts';

const tables = ['waiting_entries', 'waiting_offers', 'person_words'];

/** Entries of waiting lists with their offers. Erasing gives back the seats of offers that are open. */
export const waitingRecords: PersonalRecords = {
  name: 'waiting lists',
  tables,
  async read(db, person) {
    const entries = await db
      .selectFrom('waiting_entries')
      .selectAll()
      .where('person_id', '=', person.id)
      .orderBy('id')
      .execute();
    const offers = await db
      .selectFrom('waiting_offers')
      .select(['entry_id', 'seats', 'made_at', 'reason', 'mailed_at', 'ended_at', 'ended'])
      .where('entry_id', 'in', [0, ...entries.map(({ id }) => id)])
      .orderBy('id')
      .execute();
    return entries.map(({ id, person_id: _, mailbox: __, ...entry }) => ({
      ...entry,
      offers: offers.filter(({ entry_id }) => entry_id === id).map(({ entry_id: ___, ...offer }) => offer),
    }));
  },
  async erase(trx, { id }, at) {
    const held = await trx
      .selectFrom('waiting_offers')
      .innerJoin('waiting_entries', 'waiting_entries.id', 'entry_id')
      .select(['hold_id as holdId', 'waiting_offers.course_date_id as courseDateId'])
      .where('person_id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    // Erasing always runs in a transaction, although the type allows others.
    const seats = trx as Trx;
    const courseDates = await lockCourseDates(seats, [...new Set(held.map(({ courseDateId }) => courseDateId))], at);
    for (const { holdId, courseDateId } of held) {
      await endHold(seats, courseDates.get(courseDateId) ?? { id: courseDateId, left: 0 }, holdId, 'released', at);
    }
    const { numDeletedRows } = await trx
      .deleteFrom('waiting_entries')
      .where('person_id', '=', id)
      .executeTakeFirstOrThrow();
    return { count: Number(numDeletedRows) };
  },
};

/**
 * The daily job: erases entries that have been closed for longer than the privacy page allows for enquiries, and
 * entries whose address was not confirmed within a week after we last mailed them the link (P48). Returns how many, null when it was done today.
 */
export async function expireWaitingDaily(db: Db, now: Date): Promise<number | null> {
  const { enquiryMonths } = await readRetention(db);
  return doDaily(db, 'erase-waiting-entries', now, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('waiting_entries')
      .where('closed_at', '<', monthsBefore(now, enquiryMonths))
      .executeTakeFirstOrThrow();
    const erased = Number(numDeletedRows) + (await deleteUnconfirmed(trx, now));
    if (erased > 0) await noteErased(trx, tables);
    return erased;
  });
}

/** Entries that staff offered seats by hand stay while the offer is open. */
async function deleteUnconfirmed(trx: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('waiting_entries')
    .where('confirmed_at', 'is', null)
    .where('enrolment_id', 'is', null)
    .where('closed_at', 'is', null)
    .where(({ fn }) => fn.coalesce('told_at', 'joined_at'), '<', new Date(now.getTime() - confirmDays * dayMs))
    .where(hasNoOffer)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
