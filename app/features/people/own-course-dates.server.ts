import type { Db } from '#app/db/client.server.ts';
import { onlyCourseDatesOf, type StaffActor } from './actor.ts';
import type { Permission } from './permissions.ts';

/** Whether a member of staff may use a permission in a course date: an instructor in their own only (P68). */
export async function maySeeCourseDate(
  db: Db,
  actor: StaffActor,
  courseDate: { id: number } | { slug: string },
  permission: Permission = 'course-dates:read',
): Promise<boolean> {
  const only = onlyCourseDatesOf(actor, permission);
  if (only === null) return true;
  const row = await db
    .selectFrom('course_dates')
    .select('id')
    .where((eb) => ('id' in courseDate ? eb('id', '=', courseDate.id) : eb('slug', '=', courseDate.slug)))
    .where('instructor_slug', 'in', ['', ...only])
    .executeTakeFirst();
  return row !== undefined;
}
