import { readEntriesOf } from '#app/audit/history.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { actionInWords } from './action-words.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from './actor.ts';
import { maySeeCourseDate } from './own-course-dates.server.ts';
import type { Permission } from './permissions.ts';

/** What reading the history of a kind of subject needs: the same as its page. */
const needed = {
  accountant: 'money:export',
  booking: 'bookings:read',
  certificate: 'certificates:read',
  course: 'prices:read',
  enrolling: 'enrolments:change',
  enrolment: 'enrolments:read',
  'live-hour': 'attendees:read',
  payment: 'money:read',
  person: 'staff:read',
  prices: 'prices:read',
  promotion: 'prices:read',
  'bulk-action': 'mail:read',
  template: 'inbox:read',
  'course-date': 'course-dates:read',
} as const satisfies Record<string, Permission>;
type Kind = keyof typeof needed;

/**
 * What was done to a subject, oldest first, as a member of staff may see it: an instructor sees it for their own course
 * dates and live hours only (P68). `former` are references that the subject had before. A form of its page sends `seen`, the number of the last entry that the page showed.
 */
export async function readHistory(
  db: Db,
  actor: StaffActor,
  subject: `${Kind}:${string}`,
  { former = [] }: { former?: readonly string[] } = {},
) {
  const [kind, reference] = subject.split(/:(.*)/) as [Kind, string];
  requirePermission(actor, needed[kind]);
  if (!(await isOwn(db, actor, kind, reference))) return { seen: 0, entries: [] };
  return readEntriesOf(db, [subject, ...former.map((name) => `${kind}:${name}`)], actionInWords);
}

async function isOwn(db: Db, actor: StaffActor, kind: Kind, reference: string): Promise<boolean> {
  if (kind === 'course-date') return maySeeCourseDate(db, actor, { slug: reference });
  const only = onlyCourseDatesOf(actor, needed[kind]);
  if (kind !== 'live-hour' || only === null) return true;
  const row = await db
    .selectFrom('live_hours')
    .select('id')
    .where('id', '=', Number(reference))
    .where('instructor_slug', 'in', ['', ...only])
    .executeTakeFirst();
  return row !== undefined;
}
