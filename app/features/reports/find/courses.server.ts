import { type RawBuilder, sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { venues } from '#app/features/content/rules.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { beginsAll } from '#app/lib/beginnings.ts';
import { addDays, type Day, formatDays, months } from '#app/lib/dates.ts';
import { type Delivery, deliveries, taughtText } from '#app/lib/delivery.ts';
import { mostShown } from './found.ts';
import type { FoundCourse, FoundDate } from './named-acts.ts';

/** Which days a word may mean: by their weekday from 1 for Monday, month from 1, day of the month, and year. */
type DaysMeant = { weekdays: number[]; months: number[]; days: number[]; years: number[] };

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const days = Array.from({ length: 31 }, (_, at) => String(at + 1));
/** Of course dates. */
const years = Array.from({ length: 100 }, (_, at) => String(2000 + at));

/** The days that have a word, in lower case, at the beginning of one of `Monday 3 November 2025`. */
export const daysMeant = (word: string): DaysMeant => ({
  weekdays: beginning(weekdays, word).map((at) => at + 1),
  months: beginning(months, word).map((at) => at + 1),
  days: beginning(days, word).map((at) => at + 1),
  years: beginning(years, word).map((at) => at + 2000),
});

const beginning = (names: readonly string[], word: string): number[] =>
  names.flatMap((name, at) => (beginsAll(name, [word]) ? [at] : []));

/** How far back course dates are found. */
const pastDays = 400;

/** Courses by their title or address, each as the text that staff edit: also retired ones, and those never published. */
export async function courses(db: Db, actor: StaffActor, words: readonly string[]): Promise<FoundCourse[]> {
  requirePermission(actor, 'content:read');
  if (words.length === 0) return [];
  const { rows } = await sql<{ id: number; title: string; slug: string; stands: FoundCourse['stands'] }>`
    select * from (
      select record.id, title, slug, case when retired_at is null then 'offered' else 'retired' end as stands
      from courses join content_records record on record.kind = 'course' and record.key = slug
      union all
      select record.id, coalesce(value ->> 'title', key), key, 'draft'
      from content_records record
        join content_revisions revision on revision.record_id = record.id and revision.number = record.draft
      where record.kind = 'course' and not exists (select from courses where slug = record.key)
    ) as course
    where ${wordsFit(words.join(' '), sql`words_of(title, slug)`)}
    order by array_position(array['offered', 'draft', 'retired'], stands), title limit ${mostShown + 1}`.execute(db);
  return rows.map(({ id, title, slug, stands }) => ({
    slug,
    stands,
    row: {
      to: href('/staff/content/:kind/:id', { kind: 'course', id: String(id) }),
      text: title,
      line: `/course/${slug}`,
      end: stands === 'offered' ? '' : stands,
    },
  }));
}

/**
 * Course dates that the person may see, by course, place, instructor and day: those to come first, the nearest first, then
 * the latest past ones. Those that began more than 400 days ago are left to the list.
 */
export async function courseDates(
  db: Db,
  actor: StaffActor,
  words: readonly string[],
  today: Day,
): Promise<FoundDate[]> {
  const only = onlyCourseDatesOf(actor);
  const meant = words.length > 0 ? await datesMeant(db, words) : null;
  if (!meant) return [];
  const fits = sql`(${only === null} or its.instructor_slug = any(${only ?? []}::text[])) and ${meant}`;
  // Each along the index of days, until there are enough.
  const ahead = sql`select id from course_dates its where starts_on > ${today} and ${fits}
    order by starts_on, id limit ${mostShown + 1}`;
  const begun = (end: RawBuilder<unknown>) => sql`select id from course_dates its
    where starts_on <= ${today} and starts_on > ${addDays(today, -pastDays)} and ${end} and ${fits}
    order by starts_on desc, id limit ${mostShown + 1}`;
  const { rows } = await sql<{
    id: number;
    slug: string;
    course_slug: string;
    title: string;
    starts_on: Day;
    ends_on: Day;
    delivery: Delivery;
    venue: string | null;
    instructor: string | null;
    state: string;
    sold: number;
    capacity: number;
  }>`select course_date.id, course_date.slug, courses.slug as course_slug, title, starts_on, ends_on, delivery, venue, instructors.name as instructor, state, sold, capacity
    from ((${ahead}) union all (${begun(sql`ends_on >= ${today}`)}) union all (${begun(sql`ends_on < ${today}`)})) as found
      join course_dates course_date using (id)
      join courses on courses.id = course_id
      join course_date_seats on course_date_seats.course_date_id = course_date.id
      left join instructors on instructors.slug = course_date.instructor_slug
    order by ends_on < ${today}, abs(starts_on - ${today}::date), course_date.id limit ${mostShown + 1}`.execute(db);
  return rows.map(
    ({ id, slug, course_slug, title, starts_on, ends_on, instructor, state, sold, capacity, ...way }) => ({
      ...{ id, slug, courseSlug: course_slug, sold },
      stands: state === 'cancelled' ? 'cancelled' : starts_on > today ? 'ahead' : ends_on < today ? 'done' : 'running',
      row: {
        to: href('/staff/course-dates/:slug', { slug }),
        text: title,
        line: [formatDays(starts_on, ends_on), taughtText(way), instructor].filter(Boolean).join(', '),
        end: state === 'cancelled' ? 'cancelled' : `${sold} of ${capacity}`,
      },
    }),
  );
}

/**
 * The condition that a row of `course_dates its` has each of these words, in lower case, at the beginning of one of its
 * own: of course, instructor, place or day. Null when a word is none of these. Each text is compared once, not for each
 * date that has it.
 */
async function datesMeant(db: Db, words: readonly string[]): Promise<RawBuilder<boolean> | null> {
  const courses = await db.selectFrom('courses').select(['id', 'title', 'slug']).execute();
  const instructors = await db.selectFrom('instructors').select(['slug', 'name']).execute();
  const conditions = words.map((word) => {
    const has = (text: string) => beginsAll(text, [word]);
    const { weekdays, months, days, years } = daysMeant(word);
    const ways = [
      isOneOf(
        sql`its.course_id`,
        courses.filter(({ title, slug }) => has(`${title} ${slug}`)).map(({ id }) => id),
      ),
      isOneOf(
        sql`its.instructor_slug`,
        instructors.filter(({ name }) => has(name)).map(({ slug }) => slug),
      ),
      isOneOf(sql`its.delivery`, deliveries.filter(has)),
      isOneOf(sql`its.venue`, venues.filter(has)),
      isOneOf(sql`extract(isodow from its.starts_on)`, weekdays),
      isOneOf(sql`extract(month from its.starts_on)`, months),
      isOneOf(sql`extract(day from its.starts_on)`, days),
      isOneOf(sql`extract(year from its.starts_on)`, years),
    ].flat();
    return ways.length > 0 ? sql`(${sql.join(ways, sql` or `)})` : null;
  });
  const all = conditions.flatMap((one) => one ?? []);
  return all.length === words.length ? sql<boolean>`(${sql.join(all, sql` and `)})` : null;
}

const isOneOf = (column: RawBuilder<unknown>, values: readonly (string | number)[]) =>
  values.length > 0 ? [sql<boolean>`${column} in (${sql.join(values)})`] : [];
