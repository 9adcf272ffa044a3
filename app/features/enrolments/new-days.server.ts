import type { Db } from '#app/db/client.server.ts';
import type { CourseDateTimes } from '#app/features/course-dates/changed-times.ts';
import { whatOf } from '#app/features/course-dates/clash-words.ts';
import type { Clash } from '#app/features/course-dates/clashes.ts';
import { readInTheWay, readPublicHolidays } from '#app/features/course-dates/plan.server.ts';
import { holidayOf } from '#app/features/course-dates/series.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { daysBetween, formatDay, formatDays } from '#app/lib/dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { CourseDateForStaff } from './course-dates-for-staff.server.ts';

/** Something looked up about new days: whether it is as it should be, in words. */
export type Check = { fine: boolean | 'no-clash'; text: string };

/** Whether instructor, room and day are free for a course date at other times (P77). */
export async function checkNewDays(
  db: Db,
  actor: StaffActor,
  courseDate: CourseDateForStaff,
  times: CourseDateTimes,
): Promise<Check[]> {
  requirePermission(actor, 'course-dates:change');
  const room = courseDate.venue === times.venue ? courseDate.room : null;
  const inTheWay = await readInTheWay(db, { ...times, courseId: courseDate.courseId, room }, courseDate.slug);
  const said = (kind: Clash, free: string, taken: string): Check => {
    const found = inTheWay.find(({ clashes }) => clashes.includes(kind));
    return found ? { fine: false, text: `${taken}: ${whatOf(found)}` } : { fine: true, text: free };
  };
  const holiday = holidayOf(times, await readPublicHolidays(db));
  return [
    said('instructor', 'The instructor is free', 'The instructor teaches'),
    ...(room ? [said('room', `${room} is free`, `${room} is taken by`)] : []),
    said('course', 'No other date of this course then', 'The same course is held'),
    holiday
      ? { fine: false, text: `${holiday.name} is on ${formatDay(holiday.day)}` }
      : { fine: true, text: 'No public holiday there' },
    ...enrolmentLeft(courseDate, times),
  ];
}

/** A date that comes later would sell its seats for as long as before, unless staff say otherwise. */
function enrolmentLeft(courseDate: CourseDateForStaff, { startDate, enrolmentEnds }: CourseDateTimes): Check[] {
  if (startDate <= courseDate.startDate || enrolmentEnds !== courseDate.enrolmentEnds) return [];
  const days = daysBetween(enrolmentEnds, startDate);
  const text = `Enrolment still ends ${formatDay(enrolmentEnds)}, ${days} days before the first day: you may set a later day`;
  return [{ fine: 'no-clash', text }];
}

/** The attendees of a course date who have another one on some of these days, by name. */
export async function readBusyThen(
  db: Db,
  actor: StaffActor,
  courseDateId: number,
  { startDate, endDate }: Pick<CourseDateTimes, 'startDate' | 'endDate'>,
) {
  requirePermission(actor, 'attendees:read');
  const rows = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'places.attendee_id')
    .innerJoin('attendees as same', (join) =>
      join.onRef('same.email', '=', 'attendees.email').onRef('same.id', '<>', 'attendees.id'),
    )
    .innerJoin('places as other', 'other.attendee_id', 'same.id')
    .innerJoin('course_dates as held', 'held.id', 'other.course_date_id')
    .innerJoin('courses', 'courses.id', 'held.course_id')
    .select(['places.id', 'attendees.name', 'courses.title', 'held.slug', 'held.starts_on', 'held.ends_on'])
    .where('places.course_date_id', '=', courseDateId)
    .where('places.state', '=', 'active')
    .where('other.state', '=', 'active')
    .where('held.id', '<>', courseDateId)
    .where('held.state', '<>', 'cancelled')
    .where('held.starts_on', '<=', endDate)
    .where('held.ends_on', '>=', startDate)
    .orderBy('attendees.name')
    .execute();
  return rows.map(({ id, name, title, slug, starts_on, ends_on }) => ({
    id,
    name: showControlCharacters(name ?? ''),
    other: `${title}, ${formatDays(starts_on, ends_on)}`,
    slug,
  }));
}
