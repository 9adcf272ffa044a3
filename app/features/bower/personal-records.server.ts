import type { PersonalRecords } from '#app/db/personal-records.server.ts';

/**
 * What a person chose about their bower, and what visitors said of it. Erased, the name is free for others. What a bower is
 * made of belongs to the records of progress and certificates.
 */
export const shownBowerRecords: PersonalRecords = {
  name: 'bower',
  tables: ['bowers', 'bower_reports'],
  async read(db, { id }) {
    const bower = await db
      .selectFrom('bowers')
      .select(['name', 'slug', 'avenue', 'shown_at', 'hidden_at', 'hidden_why'])
      .where('person_id', '=', id)
      .execute();
    const reports = await db
      .selectFrom('bower_reports')
      .select(['name', 'reason', 'reported_at', 'settled_at'])
      .where('person_id', '=', id)
      .orderBy('id')
      .execute();
    return [
      ...bower.map((row) => ({ as: 'bower', ...row })),
      ...reports.map((row) => ({ as: 'report of it', ...row })),
    ];
  },
  async erase(trx, { id }) {
    const reports = await trx.deleteFrom('bower_reports').where('person_id', '=', id).executeTakeFirstOrThrow();
    const bowers = await trx.deleteFrom('bowers').where('person_id', '=', id).executeTakeFirstOrThrow();
    return { count: Number(reports.numDeletedRows + bowers.numDeletedRows) };
  },
};
