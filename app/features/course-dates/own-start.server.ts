import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { onlyCourseDatesOf, type StaffActor } from '#app/features/people/actor.ts';
import { addDays, dayIn } from '#app/lib/dates.ts';
import { hasDayIn } from './under-way.server.ts';

/**
 * Where somebody begins who only teaches (P59): in the class that they hold today, in the list when there are several, on
 * their first page when none is on; null for those who see all course dates.
 */
export async function ownStart(db: Db, actor: StaffActor, now: Date): Promise<string | null> {
  if (!actor.can.has('attendance:mark') || !actor.can.has('course-dates:read')) return null;
  const only = onlyCourseDatesOf(actor);
  if (only === null) return null;
  if (only.length === 0) return href('/staff/today');
  const rows = await db
    .selectFrom('course_dates')
    .select(['slug', 'zone', 'starts_on', 'ends_on'])
    .where('instructor_slug', 'in', [...only])
    .where('state', '<>', 'cancelled')
    // No zone is a day away from UTC.
    .where(hasDayIn(addDays(dayIn('UTC', now), -1), addDays(dayIn('UTC', now), 1)))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('places')
          .select('places.id')
          .whereRef('course_date_id', '=', 'course_dates.id')
          .where('places.state', '<>', 'cancelled'),
      ),
    )
    .execute();
  const today = rows.filter(({ zone, starts_on, ends_on }) => {
    const day = dayIn(zone, now);
    return starts_on <= day && day <= ends_on;
  });
  const [one] = today;
  if (!one) return href('/staff/today');
  return today.length > 1 ? href('/staff/classes') : href('/staff/classes/:slug', { slug: one.slug });
}
