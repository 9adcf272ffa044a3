import { beginsWithAgreement } from '#app/features/catalogue/ways.ts';
import type { NewCourseDate } from '#app/features/course-dates/commands.server.ts';
import { makeCourseDates, proposeCourseDates, readPublicHolidays } from '#app/features/course-dates/plan.server.ts';
import { holidayOf } from '#app/features/course-dates/planner.ts';
import {
  cancelCourseDateAndAsk,
  confirmCourseDateAndTell,
  setJoiningDetailsAndTell,
} from '#app/features/enrolments/course-date-changes.server.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import { chooseAfterCancelling } from './leaving.ts';
import { instantAt, type Stage, weekday } from './stage.ts';
import { teach } from './teaching.ts';

/** Weeks ahead for which course dates are planned. */
const weeksAhead = 12;
const datesAWeek = 3;

export type Sold = { id: number; slug: string; instructor: string; learners: number; guided: boolean; hours: number };

/** The courses that are sold on dates, the best known first. */
export async function readCourses({ db }: Pick<Stage, 'db'>): Promise<Sold[]> {
  const rows = await db
    .selectFrom('courses')
    .select(['id', 'slug', 'instructor_slug as instructor', 'learners', 'guided', 'hours', 'category_slug'])
    .where('retired_at', 'is', null)
    .orderBy('learners', 'desc')
    .orderBy('id')
    .execute();
  return rows.filter(({ category_slug }) => !beginsWithAgreement(category_slug));
}

/**
 * Looks after the dates that the content brought, plans those of the coming weeks, and goes on doing so each Monday.
 */
export async function planTheYear(stage: Stage, courses: readonly Sold[]): Promise<void> {
  const dates = await stage.db.selectFrom('course_dates').select('id').execute();
  for (const { id } of dates) await lookAfter(stage, id);
  for (let week = 2; week < weeksAhead; week += 1) await planWeek(stage, courses, week);
  const days = daysBetween(stage.firstDay, stage.lastDay);
  for (let day = 1; day <= days; day += 1) {
    if (weekday(addDays(stage.firstDay, day)) !== 1) continue;
    stage.later(day, 9, async () => {
      await planWeek(stage, courses, weeksAhead);
      return null;
    });
  }
}

async function planWeek(stage: Stage, courses: readonly Sold[], weeks: number): Promise<void> {
  const { db, draw, team } = stage;
  const moment = stage.moment();
  const holidays = await readPublicHolidays(db);
  const monday = addDays(moment.today, ((8 - weekday(moment.today)) % 7) + 7 * weeks);
  for (let made = 0, tries = 0; made < datesAWeek && tries < 12; tries += 1) {
    // Well-known courses have dates more often.
    const course = draw.of(courses.slice(0, 6 + draw.below(30)));
    const wish = wishFor(stage, course, monday);
    const [proposal] = await proposeCourseDates(db, [wish], moment.today);
    if (!proposal || proposal.faults.length > 0 || proposal.inTheWay.length > 0) continue;
    if (holidayOf(wish, holidays)) continue;
    const result = await stage.transaction((trx) => makeCourseDates(trx, [wish], { ...moment, actor: team.owner }));
    if (!result.ok) continue;
    made += 1;
    const [slug = ''] = result.slugs;
    const { id } = await db.selectFrom('course_dates').select('id').where('slug', '=', slug).executeTakeFirstOrThrow();
    stage.count('course dates planned');
    await lookAfter(stage, id);
  }
}

function wishFor({ draw }: Stage, course: Sold, monday: Day): NewCourseDate {
  // Seven hours a day, and never more than the course has.
  const days = Math.max(1, Math.min(draw.of([2, 3, 3, 4, 5]), Math.floor(course.hours / 7)));
  const startDate = addDays(monday, draw.below(6 - days));
  const delivery = draw.of(['online', 'online', 'in-person', 'both'] as const);
  const venue = delivery === 'online' ? null : draw.of(['Brisbane', 'Brisbane', 'Sydney', 'Melbourne']);
  const capacity = draw.of([5, 6, 8, 10, 12]);
  const decided = draw.chance(0.4);
  return {
    courseId: course.id,
    startDate,
    endDate: addDays(startDate, days - 1),
    startTime: '09:00',
    endTime: '17:00',
    breakMinutes: 60,
    delivery,
    venue,
    instructor: course.instructor,
    enrolmentEnds: addDays(startDate, -1),
    decidedBy: decided ? addDays(startDate, -15) : null,
    capacity,
    minimum: decided ? draw.of([2, 3, 4]) : 1,
  };
}

const streets: Record<string, string> = { Sydney: '8 Spring Street', Melbourne: '350 Collins Street' };

/** The life of a date without buyers' acts: staff set room and link and decide, and it is taught. */
async function lookAfter(stage: Stage, id: number): Promise<void> {
  const { db, draw, team } = stage;
  const row = await db.selectFrom('course_dates').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { today } = stage.moment();
  const until = (day: Day) => Math.max(0, daysBetween(today, day));
  stage.later(until(addDays(row.starts_on, -10)), 11, async (moment) => {
    const joiningDetails = {
      room: `Level 4, Room 4.${1 + draw.below(6)}`,
      street: streets[row.venue ?? ''] ?? '120 Edward Street',
      joiningLink: `https://class.example/${row.slug}`,
    };
    const set = await stage.transaction((trx) =>
      setJoiningDetailsAndTell(trx, id, { joiningDetails, actor: team.admissions }, moment),
    );
    return set.ok ? 'rooms and links set' : null;
  });
  if (row.decided_by) stage.later(until(row.decided_by), 16, (moment) => decide(stage, id, moment));
  for (let day = row.starts_on; day <= row.ends_on; day = addDays(day, 1)) {
    stage.later(until(day), 16.5, () => teach(stage, id, day));
  }
}

/** On its day of decision staff hold a date that lacks one attendee at most, and cancel it otherwise (P39). */
async function decide(stage: Stage, id: number, moment: ReturnType<Stage['moment']>): Promise<string | null> {
  const { db, draw, team } = stage;
  const { state, minimum } = await db
    .selectFrom('course_dates')
    .select(['state', 'minimum'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (state !== 'tentative') return null;
  const places = await db
    .selectFrom('places')
    .select(['id', 'enrolment_id as enrolmentId'])
    .where('course_date_id', '=', id)
    .where('state', '=', 'active')
    .execute();
  if (places.length >= minimum - 1) {
    const held = await stage.transaction((trx) => confirmCourseDateAndTell(trx, id, team.owner, moment));
    return held.ok ? 'course dates held although below their minimum' : null;
  }
  const reason = 'Too few people enrolled by the day of decision.';
  const result = await stage.transaction((trx) => cancelCourseDateAndAsk(trx, id, team.owner, moment, reason));
  if (!result.ok) return null;
  for (const place of places) {
    if (draw.chance(0.8)) stage.later(1 + draw.below(6), 19, (then) => chooseAfterCancelling(stage, place, then));
  }
  return 'course dates cancelled';
}

/** The first instant of the demonstration. */
export const openingOf = (day: Day): Date => instantAt(day, 7);
