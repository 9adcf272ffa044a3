import type { Db } from '#app/db/client.server.ts';
import type { RecordKind } from './records.ts';
import { keyOfValue } from './records.ts';

/** The id of the record that has the key of a value; null when there is none. */
export async function findRecordId(db: Db, kind: RecordKind, value: Record<string, unknown>): Promise<number | null> {
  const row = await db
    .selectFrom('content_records')
    .select('id')
    .where('kind', '=', kind)
    .where('key', '=', keyOfValue(kind, value))
    .executeTakeFirst();
  return row?.id ?? null;
}
