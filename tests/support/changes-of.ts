import type { Db } from '#app/db/client.server.ts';

/** What acts changed of a subject, the earliest first: action, field, before and after. */
export async function changesOf(db: Db, subject: string): Promise<unknown[][]> {
  const rows = await db
    .selectFrom('audit_entries')
    .innerJoin('audit_changes', 'entry_id', 'audit_entries.id')
    .select(['action', 'field', 'before', 'after'])
    .where('subject', '=', subject)
    .orderBy('entry_id')
    .orderBy('field')
    .execute();
  return rows.map(({ action, field, before, after }) => [action, field, before, after]);
}
