import { href } from 'react-router';
import { everyEntry, readActors, readTrace, type TraceEntry, type TraceFilter } from '#app/audit/trace.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { kindInAddress } from '#app/features/content/form/kinds.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';

/** A page of the trace of all acts (P69). */
export async function readTraceForStaff(
  db: Db,
  actor: StaffActor,
  filter: TraceFilter,
  page: { before: number | null; limit: number },
): Promise<TraceEntry[]> {
  requirePermission(actor, 'trace:read');
  return readTrace(db, filter, page);
}

/** The name and the page of each record of content among these subjects, by the subject. */
export async function readContentSubjects(db: Db, actor: StaffActor, subjects: readonly string[]) {
  requirePermission(actor, 'trace:read');
  const ids = subjects.flatMap((subject) => /^content:(\d{1,15})$/.exec(subject)?.[1] ?? []);
  if (ids.length === 0) return new Map<string, { text: string; page: string }>();
  const rows = await db
    .selectFrom('content_records')
    .select(['id', 'kind', 'key'])
    .where('id', 'in', ids.map(Number))
    .execute();
  return new Map(
    rows.map(({ id, kind, key }) => [
      `content:${id}`,
      {
        text: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${key}`.trim(),
        page: href('/staff/content/:kind/:id', { kind: kindInAddress(kind as RecordKind), id: String(id) }),
      },
    ]),
  );
}

/** The same for a file, in pieces. */
export async function* everyEntryForStaff(db: Db, actor: StaffActor, filter: TraceFilter) {
  requirePermission(actor, 'trace:read');
  yield* everyEntry(db, filter);
}

/** The people by whom the trace is filtered. */
export async function readActorsForStaff(db: Db, actor: StaffActor) {
  requirePermission(actor, 'trace:read');
  return readActors(db);
}
