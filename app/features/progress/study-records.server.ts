import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { DayMark } from './rules.ts';

/** A mark of attendance with its id. */
export type CountedMark = DayMark & { id: number };

/** The mark that counts for each place and day: the last by the time of the tap, then by the time of recording. */
export async function readDayMarks(db: Db, placeIds: readonly number[]): Promise<Map<number, Map<Day, CountedMark>>> {
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

/** The records of a module; `mark` is the one that counts, of the answer handed in last. */
export type ModuleRecords = {
  openedAt: Date | null;
  answerId: number | null;
  mark: { id: number; accepted: boolean; at: Date } | null;
};

/** For each place and module, the time of opening, the last answer and its mark that counts. */
export async function readModules(
  db: Db,
  placeIds: readonly number[],
): Promise<Map<number, Map<number, ModuleRecords>>> {
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
