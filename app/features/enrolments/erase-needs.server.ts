import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';

/**
 * The periodic job: erases what attendees needed, and their guardians, as many days after the last day of their last
 * course as the privacy page says (APP 11.2): nobody needs it for the books. A place that was cancelled ended on that
 * day. Returns for how many attendees.
 */
export async function eraseNeeds(db: Db, at: Date): Promise<number> {
  const { attendeeNeedsDays } = await readRetention(db);
  const firstKept = addDays(academyDay(at), -attendeeNeedsDays);
  const due = sql<boolean>`(needs is not null or guardian_name is not null or under_18) and not exists (
    select from places left join course_dates course_date on course_date.id = course_date_id
    where places.attendee_id = attendees.id and case places.state
      when 'cancelled' then (places.cancelled_at at time zone 'Australia/Brisbane')::date
      else coalesce(course_date.ends_on, (places.guided_from + interval '1 year')::date - 1, 'infinity'::date)
    end >= ${firstKept}::date)`;
  const items = await db.selectFrom('attendees').select('id').where(due).orderBy('id').execute();
  return eachItem(db, { job: 'erase needs', items, keyOf: ({ id }) => `attendee:${id}`, at }, async (trx, { id }) => {
    // Asked again: the person may have been given another place meanwhile.
    const { numUpdatedRows } = await trx
      .updateTable('attendees')
      .set({ needs: null, under_18: false, guardian_name: null, guardian_email: null })
      .where('id', '=', id)
      .where(due)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await noteErased(trx, ['attendees']);
    return numUpdatedRows > 0n;
  });
}
