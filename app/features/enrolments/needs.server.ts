import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { noteErased } from '#app/db/rewrite-tables.server.ts';
import { readRetention } from '#app/features/catalogue/site/queries.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';

/**
 * Whether a person may read what attendees need, which tells of their health (APP 3.3), and who is under 18 with which
 * guardian: staff who teach or enrol may. A reader reads everything else.
 */
export const mayReadNeeds = ({ can }: Pick<StaffActor, 'can'>): boolean =>
  can.has('attendance:mark') || can.has('enrolments:change');

/** The columns of `attendees` for a member of staff; empty for who may not read them, so that no page has to ask. */
export function needsFor(actor: StaffActor) {
  const may = mayReadNeeds(actor);
  return [
    sql<string | null>`case when ${may} then attendees.needs end`.as('needs'),
    sql<boolean>`(${may} and attendees.under_18)`.as('under_18'),
    sql<string | null>`case when ${may} then attendees.guardian_name end`.as('guardian_name'),
    sql<string | null>`case when ${may} then attendees.guardian_email end`.as('guardian_email'),
  ] as const;
}

/** The same for what was read of an enrolment as a whole. */
export function withNeedsFor<Attendee extends Withheld>(actor: StaffActor, attendee: Attendee): Attendee {
  return mayReadNeeds(actor) ? attendee : { ...attendee, ...withheld };
}
type Withheld = {
  needs: string | null;
  under18: boolean;
  guardianName: string | null;
  guardianEmail: string | null;
};
const withheld: Withheld = { needs: null, under18: false, guardianName: null, guardianEmail: null };

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
    // Asked again: the person may have been given another place since.
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
