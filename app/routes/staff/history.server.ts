import type { Db } from '#app/db/client.server.ts';
import { formatMoment } from '#app/lib/dates.ts';
import { actionInWords, detailsInWords } from './history.ts';

/** What staff did to a subject, oldest first; `seen` is what a form of its page has seen of it. */
export async function readHistory(db: Db, subject: string) {
  const rows = await db
    .selectFrom('audit_entries')
    .leftJoin('people', 'people.id', 'person_id')
    .select(['audit_entries.id', 'people.name as by', 'at', 'action', 'details'])
    .where('subject', '=', subject)
    .orderBy('audit_entries.id')
    .execute();
  return {
    seen: rows.at(-1)?.id ?? 0,
    entries: rows.map(({ id, by, at, action, details }) => ({
      id,
      by: by ?? 'The command line',
      did: actionInWords(action),
      details: detailsInWords(details),
      at: formatMoment(at),
    })),
  };
}
export type HistoryEntry = Awaited<ReturnType<typeof readHistory>>['entries'][number];
