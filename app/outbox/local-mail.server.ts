import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';

/**
 * The database, for requests that may read all mail: those of this computer, on a program that writes its mail to
 * files. Null for all others.
 */
export const localMailContext = createContext<Db | null>(null);

/** The latest mails, newest first. */
export function listMail(db: Db, limit = 100) {
  return db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'state', 'queued_at'])
    .orderBy('queued_at', 'desc')
    .limit(limit)
    .execute();
}

/** One mail as it was queued; null when there is none with this id. */
export async function readMail(db: Db, id: string) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const mail = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();
  if (!mail) return null;
  const calendar = mail.calendar as { method: string; content: string } | null;
  return { ...mail, calendar, headers: mail.headers as Record<string, string> };
}
