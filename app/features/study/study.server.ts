import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import { xpOf } from '#app/features/catalogue/rules.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import { academyDay, academyZone } from '#app/lib/academy-day.ts';
import { addDays, type Day, daysBetween } from '#app/lib/dates.ts';
import { levels } from '#app/lib/levels.ts';
import { minutesADay, usualAttendance } from '#app/lib/taught-hours.ts';
import type { DayMark } from './rules.ts';
import { type CompletionRule, minutesAttended, type Share } from './rules.ts';
import { type AskedWork, readAcceptedWork } from './work.server.ts';

/** One day of a course date, in its zone, with the mark that counts; null while nobody marked it. */
export type StudyDay = { day: Day; minutes: number; mark: CountedMark | null };

/** One module of guided study. */
type StudyModule = ModuleRecords & { number: number; title: string };

/** The requirements of a place and its progress, from the records alone: no counter is stored (P61). */
export type Study = {
  placeId: number;
  state: 'active' | 'completed' | 'cancelled';
  way: 'date' | 'guided' | 'next-date';
  courseDateId: number | null;
  zone: string;
  instructor: string | null;
  rule: CompletionRule;
  /** Null where the course asked for none when the place was sold (P61). */
  work: AskedWork | null;
  courseXp: number;
  /** For a course date, its minutes taught; for guided study, the hours of the course. */
  minutesTaught: number;
  /** For guided study, the hours of the course times the share of accepted exercises. */
  minutesAttended: number;
  days: StudyDay[];
  modules: StudyModule[];
  /** Minutes or exercises, by the rule. */
  share: Share;
  firstDay: Day | null;
  lastDay: Day | null;
};

// What the trigger of `places` writes.
const storedCompletion = z.object({
  hours: z.number(),
  level: z.enum(levels),
  attendance: z.number().optional(),
});

const storedModules = z.array(z.object({ module: z.string() }));

/** Reads requirements and progress of places, in the order of the ids; unknown ids are left out. */
export async function readStudies(db: Db, placeIds: readonly number[]): Promise<Study[]> {
  if (placeIds.length === 0) return [];
  const rows = await db
    .selectFrom('places')
    .innerJoin('courses', 'courses.id', 'places.course_id')
    .leftJoin('course_dates as course_date', 'course_date.id', 'course_date_id')
    .leftJoin('instructors', (join) =>
      join.on('instructors.slug', '=', sql<string>`coalesce(course_date.instructor_slug, courses.instructor_slug)`),
    )
    .select(['places.id', 'places.state', 'way', 'course_date_id', 'guided_from', 'modules', 'instructors.name'])
    .select(['starts_on', 'ends_on', 'starts_at', 'ends_at', 'break_minutes', 'zone'])
    .select(sql<unknown>`coalesce(places.completion, completion_of_course(places.course_id, way))`.as('completion'))
    .select(sql<string | null>`places.completion ->> 'work'`.as('work'))
    .where('places.id', 'in', placeIds)
    .orderBy('places.id')
    .execute();
  const marks = await readDayMarks(db, placeIds);
  const modules = await readModules(db, placeIds);
  const accepted = await readAcceptedWork(db, placeIds);
  return rows.map((row): Study => {
    const sold = storedCompletion.parse(row.completion);
    const known = {
      placeId: row.id,
      state: row.state,
      way: row.way,
      courseDateId: row.course_date_id,
      zone: row.zone ?? academyZone,
      instructor: row.name,
      work: row.work === null ? null : { text: row.work, acceptedAt: accepted.get(row.id) ?? null },
      courseXp: xpOf(sold),
    };
    if (row.way === 'guided') {
      const titles = storedModules.parse(row.modules ?? []);
      const its = titles.map(
        ({ module: title }, at): StudyModule => ({
          number: at + 1,
          title,
          ...(modules.get(row.id)?.get(at + 1) ?? { openedAt: null, answerId: null, mark: null }),
        }),
      );
      return { ...known, rule: { by: 'exercises' }, ...ofModules(its, sold.hours * 60, row.guided_from) };
    }
    const percent = sold.attendance ?? usualAttendance;
    const days =
      row.starts_on && row.ends_on && row.starts_at && row.ends_at
        ? daysOf(row.starts_on, row.ends_on, {
            minutes: minutesADay({ startTime: row.starts_at, endTime: row.ends_at }) - (row.break_minutes ?? 0),
            marks: marks.get(row.id),
          })
        : [];
    return { ...known, rule: { by: 'attendance', percent }, ...ofDays(days) };
  });
}

/** Reads requirements and progress of one place; throws when there is none. */
export async function readStudy(db: Db, placeId: number): Promise<Study> {
  const [study] = await readStudies(db, [placeId]);
  if (!study) throw new Error(`there is no place ${placeId}`);
  return study;
}

type MarkOfDay = { minutes: number; marks: ReadonlyMap<Day, CountedMark> | undefined };

const daysOf = (first: Day, last: Day, { minutes, marks }: MarkOfDay): StudyDay[] =>
  Array.from({ length: daysBetween(first, last) + 1 }, (_, at) => {
    const day = addDays(first, at);
    return { day, minutes, mark: marks?.get(day) ?? null };
  });

function ofDays(days: StudyDay[]) {
  const taught = days.reduce((sum, { minutes }) => sum + minutes, 0);
  const attended = days.reduce((sum, { mark, minutes }) => sum + (mark ? minutesAttended(mark, minutes) : 0), 0);
  return {
    days,
    modules: [],
    minutesTaught: taught,
    minutesAttended: attended,
    share: { done: attended, of: taught },
    firstDay: days[0]?.day ?? null,
    lastDay: days.at(-1)?.day ?? null,
  };
}

function ofModules(modules: StudyModule[], minutes: number, from: Day | null) {
  const accepted = modules.flatMap(({ mark }) => (mark?.accepted ? mark.at : []));
  const openings = modules.flatMap(({ openedAt }) => openedAt ?? []);
  const share = { done: accepted.length, of: modules.length };
  const dayOf = (times: readonly Date[], best: (...of: number[]) => number) =>
    times.length === 0 ? null : academyDay(new Date(best(...times.map((time) => time.getTime()))));
  return {
    days: [],
    modules,
    minutesTaught: minutes,
    minutesAttended: share.of === 0 ? 0 : Math.floor((minutes * share.done) / share.of),
    share,
    firstDay: dayOf(openings, Math.min) ?? from,
    lastDay: dayOf(accepted, Math.max) ?? (from && accessEndsOn(from)),
  };
}

/** A mark of attendance with its id. */
type CountedMark = DayMark & { id: number };

/** The mark that counts for each place and day: the last by the time of the tap, then by the time of recording. */
async function readDayMarks(db: Db, placeIds: readonly number[]): Promise<Map<number, Map<Day, CountedMark>>> {
  const rows = await db
    .selectFrom('attendance_marks')
    .distinctOn(['place_id', 'day'])
    .select(['id', 'place_id', 'day', 'mark', 'minutes_late', 'minutes_left_early'])
    .where('place_id', 'in', placeIds)
    .orderBy('place_id')
    .orderBy('day')
    .orderBy('tapped_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const found = new Map<number, Map<Day, CountedMark>>();
  for (const { id, place_id, day, mark, minutes_late, minutes_left_early } of rows) {
    const its = found.get(place_id) ?? new Map<Day, CountedMark>();
    const counts = {
      id,
      mark,
      minutesLate: minutes_late,
      minutesLeftEarly: minutes_left_early,
    };
    found.set(place_id, its.set(day, counts));
  }
  return found;
}

/** The records of a module; `mark` is the mark that counts, of the answer handed in last. */
type ModuleRecords = {
  openedAt: Date | null;
  answerId: number | null;
  mark: { id: number; accepted: boolean; at: Date } | null;
};

/** For each place and module, the time of opening, the last answer and its mark that counts. */
async function readModules(db: Db, placeIds: readonly number[]): Promise<Map<number, Map<number, ModuleRecords>>> {
  const { rows } = await sql<{
    place_id: number;
    module: number;
    opened_at: Date | null;
    answer_id: number | null;
    mark_id: number | null;
    accepted: boolean | null;
    marked_at: Date | null;
  }>`
    with answer as (
      select distinct on (place_id, module) place_id, module, id as answer_id
      from exercise_answers where place_id = any(${[...placeIds]}::bigint[])
      order by place_id, module, id desc
    ), opening as (
      select place_id, module, opened_at from module_openings where place_id = any(${[...placeIds]}::bigint[])
    )
    select place_id, module, opened_at, answer_id, mark.id as mark_id, accepted, marked_at
    from opening full join answer using (place_id, module) left join lateral (
      select id, accepted, marked_at from exercise_marks where exercise_marks.answer_id = answer.answer_id
      order by id desc limit 1
    ) mark on true`.execute(db);
  const found = new Map<number, Map<number, ModuleRecords>>();
  for (const { place_id, module, opened_at, answer_id, mark_id, accepted, marked_at } of rows) {
    const mark =
      mark_id !== null && accepted !== null && marked_at !== null ? { id: mark_id, accepted, at: marked_at } : null;
    const its = found.get(place_id) ?? new Map<number, ModuleRecords>();
    found.set(place_id, its.set(module, { openedAt: opened_at, answerId: answer_id, mark }));
  }
  return found;
}
