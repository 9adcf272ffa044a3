import type { Db, Trx } from '#app/db/client.server.ts';
import { classChanged } from '#app/emails/course-dates.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatTime, zoneOfDays } from '#app/lib/wall-clock.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/** A course date as its instructor knows it. */
export type TaughtClass = Awaited<ReturnType<typeof readTaughtClass>>;

/** Reads the facts for an instructor's email about a course date, before and after a change. */
export async function readTaughtClass(db: Db, courseDateId: number) {
  const row = await db
    .selectFrom('course_dates')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('instructors', 'instructors.slug', 'course_dates.instructor_slug')
    .select(['course_dates.id', 'course_dates.slug', 'title', 'course_dates.instructor_slug', 'instructors.name'])
    .select(['starts_on', 'ends_on', 'starts_at', 'ends_at', 'zone', 'delivery', 'venue', 'course_dates.state'])
    .select(({ selectFrom }) =>
      selectFrom('places')
        .whereRef('course_date_id', '=', 'course_dates.id')
        .where('places.state', '<>', 'cancelled')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .as('people'),
    )
    .where('course_dates.id', '=', courseDateId)
    .executeTakeFirstOrThrow();
  const times = `${formatTime(row.starts_at)} to ${formatTime(row.ends_at)} ${zoneOfDays(row.zone, [row.starts_on, row.ends_on])}`;
  const days = formatDays(row.starts_on, row.ends_on);
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    days,
    when: `${days}, ${times}, ${deliveryText(row)}`,
    isCancelled: row.state === 'cancelled',
    instructor: { slug: row.instructor_slug, name: row.name ?? row.instructor_slug },
    people: Number(row.people),
  };
}

/**
 * Emails the instructor of a course date, and the former one, that staff moved or cancelled it or gave it to somebody
 * else, so that nobody who teaches on a day learns it from a list (P59). `reason` is the text that everybody in it
 * reads.
 */
export async function tellInstructors(
  trx: Trx,
  { before, reason }: { before: TaughtClass; reason: string | null },
  moment: Moment,
): Promise<void> {
  const after = await readTaughtClass(trx, before.id);
  const [was, is] = [before.instructor.slug, after.instructor.slug];
  if (after.isCancelled) return tell(trx, was, { change: 'cancelled', after, before: null, reason }, moment);
  const moved = before.when === after.when ? null : before.when;
  if (was === is) {
    if (moved) await tell(trx, is, { change: 'changed', after, before: moved, reason }, moment);
    return;
  }
  await tell(trx, was, { change: 'taken', after, before: moved, reason }, moment);
  await tell(trx, is, { change: 'given', after, before: moved, reason }, moment);
}

/** The addresses of staff who teach as an instructor; empty while nobody does. */
export async function mailOfInstructor(db: Db, slug: string): Promise<string[]> {
  const rows = await db
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select('people.email')
    .distinct()
    .where('staff_roles.instructor_slug', '=', slug)
    .where('role', '=', 'instructor')
    .execute();
  return rows.flatMap(({ email }) => email ?? []);
}

type Told = {
  change: Parameters<typeof classChanged>[0]['change'];
  after: TaughtClass;
  before: string | null;
  reason: string | null;
};

async function tell(
  trx: Trx,
  instructorSlug: string,
  { change, after, before, reason }: Told,
  { academy }: Moment,
): Promise<void> {
  for (const email of await mailOfInstructor(trx, instructorSlug)) {
    await queueMail(trx, {
      kind: 'class-changed',
      about: { kind: 'course-date', id: after.id },
      to: email,
      replyTo: academy.email,
      ...classChanged({
        change,
        course: after.title,
        days: after.days,
        when: after.when,
        before,
        instructor: after.instructor.name,
        people: after.people,
        reason,
        link: `${academy.url}/staff/classes/${after.slug}`,
        academy,
      }),
    });
  }
}
