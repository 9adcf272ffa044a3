import type { Db } from '#app/db/client.server.ts';
import {
  type Edit,
  makeRecord,
  newestOf,
  publishedBaseOf,
  readStanding,
  type Standing,
} from '#app/features/content/drafts.server.ts';
import { type At, type Published, publishRevision } from '#app/features/content/publish.server.ts';
import { type Author, currentOf, type RecordKind, type RecordValue } from '#app/features/content/records.ts';
import { findRecord, listRevisions } from '#app/features/content/revisions.server.ts';

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

/** A change of one record: the fields that change, all of them for a new one; null retires it. */
export type Change = { kind: RecordKind; key: string; to: RecordValue | null };

/** Publishes a change of a record over what is published, as an editor does. */
export function publishChange(
  db: Db,
  { kind, key, to }: Change,
  at: At,
  { author = 'program', note = null }: { author?: Author; note?: string | null } = {},
): Promise<Published> {
  return db.transaction().execute(async (trx) => {
    const record = (await findRecord(trx, kind, key)) ?? (await makeRecord(trx, kind, key));
    if (!record) throw new Error(`there is a ${kind} ${key} already`);
    const current = currentOf(await listRevisions(trx, record));
    const value = to && { ...current?.value, ...to };
    return await publishRevision(trx, { id: record.id, base: current?.number ?? 0, value, author, note }, at);
  });
}
