import { everyEntry, readActors, readTrace, type TraceEntry, type TraceFilter } from '#app/audit/trace.server.ts';
import type { Db } from '#app/db/client.server.ts';
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
