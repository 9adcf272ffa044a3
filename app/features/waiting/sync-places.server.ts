import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { lockEnrolment } from '#app/features/enrolments/lock-enrolment.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { newReference } from '#app/http/references.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { closeEntry, lockEntry } from './entries.server.ts';
import { followBuyer, offeredCourseDates } from './follow-buyer.server.ts';

/**
 * Gives places that were bought without a date their entry on the course's list, with as many seats as there are places,
 * and closes it when none is left. After a date that was declined or lapsed they wait again, behind the others. An entry
 * has the address that its buyer has now.
 */
export async function syncPlaces(db: Db, job: string, moment: Moment): Promise<void> {
  await addMissing(db, job, moment);
  await correctSeats(db, job, moment);
  await correctAddresses(db, job, moment);
}

type Missing = { enrolment_id: number; course_id: number; seats: number; name: string; email: string; since: Date };

async function addMissing(db: Db, job: string, { now }: Moment): Promise<void> {
  const { rows: items } = await sql<Missing>`
    select p.enrolment_id, p.course_id, count(*)::integer as seats, e.buyer_name as name, e.email,
      case when exists (select from waiting_entries w where w.enrolment_id = p.enrolment_id and w.course_id = p.course_id)
        then ${now} else min(p.placed_at) end as since
    from places p join enrolments e on e.id = p.enrolment_id
    where p.way = 'next-date' and p.state = 'active' and not exists (
      select from waiting_entries w
      where w.enrolment_id = p.enrolment_id and w.course_id = p.course_id and w.closed_at is null)
    group by p.enrolment_id, p.course_id, e.buyer_name, e.email
    order by since`.execute(db);
  const keyOf = ({ enrolment_id, course_id }: Missing) => `enrolment:${enrolment_id}:course:${course_id}`;
  await eachItem(db, { job, items, keyOf, at: now }, async (trx, row) => {
    await trx
      .insertInto('waiting_entries')
      .values({
        reference: newReference(),
        course_id: row.course_id,
        seats: row.seats,
        name: row.name,
        email: row.email,
        mailbox: mailboxOf(row.email),
        enrolment_id: row.enrolment_id,
        joined_at: row.since,
      })
      // Another process did it at this moment.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  });
}

type Changed = { id: number; places: number };

async function correctSeats(db: Db, job: string, { now }: Moment): Promise<void> {
  const { rows: items } = await sql<Changed>`
    select w.id, count(p.id)::integer as places
    from waiting_entries w left join places p on p.enrolment_id = w.enrolment_id and p.course_id = w.course_id
      and p.way = 'next-date' and p.state = 'active'
    where w.enrolment_id is not null and w.closed_at is null
    group by w.id having count(p.id) <> w.seats order by w.id`.execute(db);
  await eachItem(db, { job, items, keyOf: entryKey, at: now }, async (trx, { id, places }) => {
    const locked = await lockEntry(trx, id, now);
    if (!locked.ok || locked.entry.closedAt !== null) return false;
    if (places === 0) await closeEntry(trx, locked, 'left', now);
    else if (locked.entry.offer) return false;
    else await trx.updateTable('waiting_entries').set({ seats: places }).where('id', '=', id).execute();
    return true;
  });
}

/**
 * An address that was corrected while its entry was added, or before entries followed their buyers: the former one may
 * hold a link that binds.
 */
async function correctAddresses(db: Db, job: string, moment: Moment): Promise<void> {
  const { rows: items } = await sql<{ id: number }>`
    select distinct e.id from waiting_entries w join enrolments e on e.id = w.enrolment_id
    where w.closed_at is null and w.email <> e.email order by e.id`.execute(db);
  const keyOf = ({ id }: { id: number }) => `enrolment:${id}`;
  await eachItem(db, { job, items, keyOf, at: moment.now }, async (trx, { id }) => {
    const courseDates = await offeredCourseDates(trx, id);
    const locked = await lockEnrolment(trx, id, moment.now, courseDates);
    if (!locked.ok) return false;
    await followBuyer(trx, { enrolmentId: id, email: locked.enrolment.email, courseDates }, moment);
    return true;
  });
}

/** The key of an entry in the record of faults. */
export const entryKey = ({ id }: { id: number }) => `waiting-entry:${id}`;
