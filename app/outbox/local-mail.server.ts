import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { filledIn, type PrivateLinks } from './private-links.server.ts';

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

/**
 * One mail as it would be handed over now, with private links of its own; null when there is none with this id. A link
 * that leads nowhere any more is shown by its name.
 */
export async function readMail(db: Db, links: PrivateLinks, id: string) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const mail = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();
  if (!mail) return null;
  const calendar = mail.calendar as { method: string; content: string } | null;
  const filled = await db.transaction().execute((trx) => links.make(trx, mail));
  const words = filledIn({ text: mail.body_text, html: mail.body_html }, filled ?? new Map());
  return { ...mail, ...words, calendar, headers: mail.headers as Record<string, string> };
}
