import type { Db } from '#app/db/client.server.ts';
import { newestOf, publishedBaseOf, readStanding, type Standing } from '#app/features/content/drafts.server.ts';
import { findRecord } from '#app/features/content/queries.server.ts';
import type { RecordValue } from '#app/features/content/records.ts';
import type { Edit } from '#app/features/content/settle-edit.ts';

/** A record with its history; throws for one that does not exist. */
export async function standingIn(db: Db, kind: string, key: string): Promise<Standing> {
  const record = await findRecord(db, kind, key);
  const standing = record && (await readStanding(db, record.id));
  if (!standing) throw new Error(`there is no ${kind} ${key}`);
  return standing;
}

/** What the form of a record sends after some fields were typed. */
export const editOf = (standing: Standing, typed: RecordValue): Edit => ({
  id: standing.record.id,
  base: newestOf(standing)?.number ?? 0,
  onto: publishedBaseOf(newestOf(standing)),
  typed: { ...newestOf(standing)?.value, ...typed },
  note: null,
});
