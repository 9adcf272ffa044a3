import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import { eraseAbsenceNotes } from '#app/features/enrolments/absence-notices.server.ts';
import { overEnrolments } from '#app/features/enrolments/ended-enrolments.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';

const tables = [
  'absence_notices',
  'attendance_marks',
  'exercise_answers',
  'exercise_marks',
  'exercise_drafts',
  'work_marks',
];

/**
 * Attendance, exercises and XP of an attendee. Erasing takes out what people wrote, once the enrolment is over: answers,
 * comments, reasons of corrections. Days attended, marks and points stay without a name: certificates rest on them.
 */
export const progressRecords: PersonalRecords = {
  name: 'progress',
  tables,
  async read(db, person) {
    const places = placesOf(db, person);
    const marks = await db
      .selectFrom('attendance_marks')
      .select(['place_id', 'day', 'mark', 'minutes_late', 'minutes_left_early', 'tapped_at', 'reason'])
      .where('place_id', 'in', places)
      .orderBy('id')
      .execute();
    const answers = await db
      .selectFrom('exercise_answers')
      .select(['place_id', 'module', 'body', 'link', 'handed_in_at'])
      .where('place_id', 'in', places)
      .orderBy('id')
      .execute();
    const answered = await db
      .selectFrom('exercise_marks')
      .innerJoin('exercise_answers', 'exercise_answers.id', 'answer_id')
      .select(['place_id', 'module', 'accepted', 'comment', 'marked_at'])
      .where('place_id', 'in', places)
      .orderBy('exercise_marks.id')
      .execute();
    const drafts = await db.selectFrom('exercise_drafts').selectAll().where('place_id', 'in', places).execute();
    const points = await db
      .selectFrom('xp_entries')
      .select(['place_id', 'points', 'source_kind', 'at'])
      .where('place_id', 'in', places)
      .orderBy('id')
      .execute();
    const works = await db
      .selectFrom('work_marks')
      .select(['place_id', 'accepted', 'marked_at'])
      .where('place_id', 'in', places)
      .orderBy('id')
      .execute();
    const absences = await db
      .selectFrom('absence_notices')
      .select(['place_id', 'told_at', 'note'])
      .select(sql<string[]>`days::text[]`.as('days'))
      .where('place_id', 'in', places)
      .orderBy('id')
      .execute();
    return [
      ...absences.map((row) => ({ as: 'cannot come', ...row })),
      ...marks.map((row) => ({ as: 'attendance', ...row })),
      ...answers.map((row) => ({ as: 'answer', ...row })),
      ...answered.map((row) => ({ as: 'mark of an answer', ...row })),
      ...works.map((row) => ({ as: 'work of the course', ...row })),
      ...drafts.map((row) => ({ as: 'draft of an answer', ...row })),
      ...points.map((row) => ({ as: 'XP', ...row })),
    ];
  },
  async erase(trx, person, at) {
    const today = academyDay(at);
    const rows = await trx
      .selectFrom('places')
      .innerJoin('attendees', 'attendees.id', 'attendee_id')
      .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
      .select('places.id')
      .where(({ or, eb }) =>
        or([eb('attendees.person_id', '=', person.id), eb('enrolments.person_id', '=', person.id)]),
      )
      .where('places.enrolment_id', 'in', overEnrolments(trx, today))
      .execute();
    const ids = [0, ...rows.map(({ id }) => id)];
    const drafts = await trx.deleteFrom('exercise_drafts').where('place_id', 'in', ids).executeTakeFirstOrThrow();
    const comments = await trx
      .updateTable('exercise_marks')
      .set({ comment: null })
      .where('comment', 'is not', null)
      .where('answer_id', 'in', trx.selectFrom('exercise_answers').select('id').where('place_id', 'in', ids))
      .executeTakeFirstOrThrow();
    const answers = await trx
      .updateTable('exercise_answers')
      .set({ body: null, link: null, erased: true })
      .where('erased', '=', false)
      .where('place_id', 'in', ids)
      .executeTakeFirstOrThrow();
    const reasons = await trx
      .updateTable('attendance_marks')
      .set({ reason: null })
      .where('reason', 'is not', null)
      .where('place_id', 'in', ids)
      .executeTakeFirstOrThrow();
    const notes = await eraseAbsenceNotes(trx, ids);
    const changed = [notes, comments, answers, reasons].reduce((sum, { numUpdatedRows }) => sum + numUpdatedRows, 0n);
    return { count: Number(drafts.numDeletedRows + changed) };
  },
};

const placesOf = (db: Db, { id }: HeldPerson) =>
  db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .select('places.id')
    .where('attendees.person_id', '=', id);
