import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { type Day, daysBetween, formatDay } from '#app/lib/dates.ts';
import { hoursAndMinutes } from '#app/lib/hours.ts';
import type { Level } from '#app/lib/levels.ts';
import { type CompletionRule, isMet, minutesAsked, progressPercent } from './rules.ts';
import { readStudies, readStudy, type Study } from './study.server.ts';
import type { AskedWork } from './work.server.ts';

/**
 * The facts about a place that a certificate may state. Minutes of guided study are the hours of the course by the
 * share of its exercises.
 */
type Facts = {
  minutesTaught: number;
  minutesAttended: number;
  exercises: number;
  exercisesAccepted: number;
  instructor: string | null;
};

/**
 * Whether the rule of a place is met (P61), with what met it, or in sentences what is missing. Work that the course
 * asks for besides is not counted: where it was not accepted yet, the person who issues the certificate confirms it.
 */
export type Completion = {
  rule: CompletionRule;
  work: AskedWork | null;
  missing: string[];
} & (
  | { met: true; facts: Facts & { firstDay: Day; lastDay: Day } }
  | { met: false; facts: Facts & { firstDay: Day | null; lastDay: Day | null } }
);

/**
 * Whether a place is completed by its own rule, on the academy's day; a course date not before its last day. Money
 * that is owed is no reason (P64). Throws when there is no such place. Lock the place first to rely on it.
 */
export async function completionOf(db: Db, placeId: number, { today }: { today: Day }): Promise<Completion> {
  const study = await readStudy(db, placeId);
  const { rule, work, firstDay, lastDay } = study;
  const facts = {
    minutesTaught: study.minutesTaught,
    minutesAttended: study.minutesAttended,
    exercises: study.modules.length,
    exercisesAccepted: study.modules.filter(({ mark }) => mark?.accepted).length,
    instructor: study.instructor,
  };
  const missing = whatIsMissing(study, today);
  if (missing.length === 0 && firstDay !== null && lastDay !== null) {
    return { met: true, rule, work, missing, facts: { ...facts, firstDay, lastDay } };
  }
  return { met: false, rule, work, missing, facts: { ...facts, firstDay, lastDay } };
}

function whatIsMissing({ state, way, rule, share, days, modules, lastDay }: Study, today: Day): string[] {
  if (state === 'cancelled') return ['The place was cancelled.'];
  if (way === 'next-date') return ['No date is chosen yet.'];
  const missing: string[] = [];
  if (way === 'date' && lastDay !== null && today < lastDay) missing.push(`The last day is ${formatDay(lastDay)}.`);
  if (isMet(rule, share)) return missing;
  if (rule.by === 'attendance') {
    const unmarked = days.filter(({ mark }) => mark === null).length;
    missing.push(
      `Attended ${hoursAndMinutes(share.done)} of ${hoursAndMinutes(share.of)}; ${rule.percent}% is ${hoursAndMinutes(minutesAsked(share, rule.percent))}.`,
    );
    if (unmarked > 0) missing.push(`${unmarked === 1 ? '1 day is' : `${unmarked} days are`} not marked.`);
  } else {
    const open = modules.filter(({ mark }) => !mark?.accepted).map(({ number }) => number);
    missing.push(
      open.length === 1
        ? `The exercise of module ${open[0]} is not accepted.`
        : `The exercises of modules ${open.slice(0, -1).join(', ')} and ${open.at(-1)} are not accepted.`,
    );
  }
  return missing;
}

/** A place of a person as its records say: what a bower is drawn from (P63). */
export type BowerRecord = {
  placeId: number;
  courseId: number;
  courseSlug: string;
  courseTitle: string;
  categorySlug: string;
  level: Level;
  /** `finished` has its certificate; `left` was cancelled or moved away after something was attended. */
  state: 'finished' | 'running' | 'left';
  /** Minutes studied: attended, or for guided study the share of the accepted exercises. */
  minutesAttended: number;
  minutesTaught: number;
  /** 0 to 99, 100 when it is finished (P43). */
  percent: number;
  /** XP in the ledger, and the XP of the course. */
  xp: number;
  courseXp: number;
  finishedAt: Date | null;
};

/**
 * The places of a person, in the order in which they were placed; those left without anything attended are not there.
 */
export async function bowerRecords(db: Db, personId: number): Promise<BowerRecord[]> {
  const rows = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['places.id', 'course_id', 'courses.slug', 'title', 'category_slug', 'level'])
    .select(xpOfPlace.as('xp'))
    .select(finishedAt.as('finished_at'))
    .where('attendees.person_id', '=', personId)
    .orderBy('places.id')
    .execute();
  const studies = await readStudies(
    db,
    rows.map(({ id }) => id),
  );
  const byPlace = new Map(studies.map((study) => [study.placeId, study]));
  return rows.flatMap((row): BowerRecord[] => {
    const study = byPlace.get(row.id);
    if (!study) return [];
    const state = row.finished_at ? 'finished' : study.state === 'cancelled' ? 'left' : 'running';
    if (state === 'left' && study.minutesAttended === 0) return [];
    return [
      {
        placeId: row.id,
        courseId: row.course_id,
        courseSlug: row.slug,
        courseTitle: row.title,
        categorySlug: row.category_slug,
        level: row.level,
        state,
        minutesAttended: study.minutesAttended,
        minutesTaught: study.minutesTaught,
        percent: progressPercent(study.share, state === 'finished'),
        xp: row.xp,
        courseXp: study.courseXp,
        finishedAt: row.finished_at,
      },
    ];
  });
}

/** The points of a person in all. */
export async function xpOfPerson(db: Db, personId: number): Promise<number> {
  const { points } = await db
    .selectFrom('xp_entries')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select(sql<number>`coalesce(sum(points), 0)::integer`.as('points'))
    .where('attendees.person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return points;
}

/** An entry of the ledger with the record that it cites (P62). */
export type XpEntry = {
  id: number;
  at: Date;
  placeId: number;
  courseTitle: string;
  points: number;
  /** It takes back an earlier entry of the same record. */
  reverses: boolean;
  record:
    | {
        kind: 'attendance';
        day: Day;
        /** Of the course date, counted from 1. */
        dayNumber: number;
        mark: 'present' | 'absent' | 'excused';
        minutesLate: number;
        minutesLeftEarly: number;
        by: string | null;
      }
    | { kind: 'exercise'; module: number; accepted: boolean; by: string | null }
    | { kind: 'certificate' };
};

/** Entries of a person, the latest first: at most `limit`, of those older than `before`. */
export async function xpEntriesOf(
  db: Db,
  personId: number,
  { limit, before = null }: { limit: number; before?: number | null },
): Promise<XpEntry[]> {
  const rows = await db
    .selectFrom('xp_entries')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('course_dates as course_date', 'course_date.id', 'course_date_id')
    .leftJoin('attendance_marks as mark', (join) =>
      join.onRef('mark.id', '=', 'source_id').on('source_kind', '=', 'attendance'),
    )
    .leftJoin('exercise_marks', (join) =>
      join.onRef('exercise_marks.id', '=', 'source_id').on('source_kind', '=', 'exercise'),
    )
    .leftJoin('exercise_answers', 'exercise_answers.id', 'answer_id')
    .leftJoin('people', (join) =>
      join.on('people.id', '=', sql<number>`coalesce(mark.person_id, exercise_marks.person_id)`),
    )
    .select(['xp_entries.id', 'xp_entries.at', 'xp_entries.place_id', 'title', 'points', 'reverses', 'source_kind'])
    .select(['mark.day', 'mark.mark', 'minutes_late', 'minutes_left_early', 'starts_on', 'module', 'accepted'])
    .select('people.name as by')
    .where('attendees.person_id', '=', personId)
    .$if(before !== null, (query) => query.where('xp_entries.id', '<', before ?? 0))
    .orderBy('xp_entries.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    placeId: row.place_id,
    courseTitle: row.title,
    points: row.points,
    reverses: row.reverses !== null,
    record: recordOf(row),
  }));
}

type RecordRow = {
  day: Day | null;
  mark: 'present' | 'absent' | 'excused' | null;
  minutes_late: number | null;
  minutes_left_early: number | null;
  starts_on: Day | null;
  module: number | null;
  accepted: boolean | null;
  by: string | null;
};

function recordOf({
  day,
  mark,
  minutes_late,
  minutes_left_early,
  starts_on,
  module,
  accepted,
  by,
}: RecordRow): XpEntry['record'] {
  if (day !== null && mark !== null) {
    return {
      kind: 'attendance',
      day,
      dayNumber: starts_on === null ? 1 : daysBetween(starts_on, day) + 1,
      mark,
      minutesLate: minutes_late ?? 0,
      minutesLeftEarly: minutes_left_early ?? 0,
      by,
    };
  }
  if (module !== null) return { kind: 'exercise', module, accepted: accepted === true, by };
  return { kind: 'certificate' };
}

/** For queries of `places`: the points of each. */
const xpOfPlace = sql<number>`(select coalesce(sum(points), 0)::integer from xp_entries where place_id = places.id)`;

const finishedAt = sql<Date | null>`(select max(at) from xp_entries
  where place_id = places.id and source_kind = 'certificate' and reverses is null
    and not exists (select from xp_entries taken where taken.reverses = xp_entries.id))`;
