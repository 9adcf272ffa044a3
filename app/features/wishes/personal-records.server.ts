import type { PersonalRecords } from '#app/db/personal-records.server.ts';

/** Courses that a person wishes for, and the dates of them that they were mailed about. */
export const wishRecords: PersonalRecords = {
  name: 'wishes',
  tables: ['wishes', 'wish_dates_told'],
  async read(db, { id }) {
    const wishes = await db
      .selectFrom('wishes')
      .innerJoin('courses', 'courses.id', 'course_id')
      .select(['slug', 'title', 'wished_at', 'mail_asked_at', 'mail_wording'])
      .where('person_id', '=', id)
      .orderBy('wished_at')
      .execute();
    const told = await db
      .selectFrom('wish_dates_told')
      .innerJoin('training_sessions', 'training_sessions.id', 'training_session_id')
      .select(['slug', 'told_at'])
      .where('person_id', '=', id)
      .orderBy('told_at')
      .execute();
    return [...wishes.map((row) => ({ as: 'wish', ...row })), ...told.map((row) => ({ as: 'date told', ...row }))];
  },
  async erase(trx, { id }) {
    const told = await trx.deleteFrom('wish_dates_told').where('person_id', '=', id).executeTakeFirstOrThrow();
    const wishes = await trx.deleteFrom('wishes').where('person_id', '=', id).executeTakeFirstOrThrow();
    return { count: Number(told.numDeletedRows + wishes.numDeletedRows) };
  },
};
