import { type RawBuilder, sql } from 'kysely';

/** A row of a place: the columns of its place and of when it was written. */
type Row = { place: RawBuilder<unknown>; at: RawBuilder<unknown> };

/** Rows that say whose they are by their place and when they were written. What reverses an entry is of the same person. */
export const rowOf = {
  mark: { place: sql.ref('attendance_marks.place_id'), at: sql.ref('attendance_marks.tapped_at') },
  answer: { place: sql.ref('exercise_answers.place_id'), at: sql.ref('exercise_answers.handed_in_at') },
  work: { place: sql.ref('work_marks.place_id'), at: sql.ref('work_marks.marked_at') },
  certificate: { place: sql.ref('certificates.place_id'), at: sql.ref('certificates.issued_at') },
  absence: { place: sql.ref('absence_notices.place_id'), at: sql.ref('absence_notices.told_at') },
  entry: {
    place: sql.ref('xp_entries.place_id'),
    at: sql`coalesce((select taken.at from xp_entries taken where taken.id = xp_entries.reverses), xp_entries.at)`,
  },
} satisfies Record<string, Row>;

/**
 * Who had the place of a row when it was written (P64), in a query of that row: what somebody attended, handed in or
 * earned stays theirs when their place is given to another person. Null where no address of theirs was known.
 */
export const holderOf = (row: Row): RawBuilder<number | null> => sql`(
  select case when given.id is null then holder.person_id else given.person_before end
  from places had join attendees holder on holder.id = had.attendee_id
  left join lateral (select id, person_before from attendee_handovers
    where attendee_id = holder.id and at >= ${row.at} order by at limit 1) given on true
  where had.id = ${row.place})`;

/** Whether an attendee is a person now, or was before their places were given to somebody else. */
export const isOrWas = (personId: number): RawBuilder<boolean> => sql`(attendees.person_id = ${personId}
  or attendees.id in (select attendee_id from attendee_handovers where person_before = ${personId}))`;

/** Whether a row of a place is of its present attendee: of the time since they have it, or of when they had it before. */
export const ofHolder = (row: Row): RawBuilder<boolean> => sql`(not exists (
  select from attendee_handovers given join places had on had.attendee_id = given.attendee_id
  where had.id = ${row.place} and given.at >= ${row.at})
  or exists (select from places kept join attendees now_has on now_has.id = kept.attendee_id
    where kept.id = ${row.place} and now_has.person_id = ${holderOf(row)}))`;
