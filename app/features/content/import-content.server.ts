import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { moveDates, weeksToMove } from './calendar.ts';
import { faultsOfChange } from './change-faults.server.ts';
import { extraWeeksFor } from './holidays.ts';
import { loadContent } from './load-content.server.ts';
import { countOtherSessions, findSessions } from './load-sessions.server.ts';
import { ambiguousRecords, keysAcross, mergeRecords, type Side } from './merge.ts';
import { type ImportPlan, planOf, withFinalSlugs } from './plan.ts';
import { readContentState, readImported } from './queries.server.ts';
import { readExtraWeeks } from './read-extra-weeks.server.ts';
import { contentOf, recordsOf } from './records.ts';
import type { Content } from './schema.ts';
import { sessionsToMake } from './sessions-to-make.ts';
import { type ContentChange, takeContent, writePlan } from './write-plan.server.ts';

export type ImportResult =
  | { ok: true; plan: ImportPlan; shiftWeeks: number }
  | { ok: false; reason: 'declined'; plan: ImportPlan }
  /** Each side is sound by itself, but together they are not: what is wrong, in words. */
  | { ok: false; reason: 'unsound'; faults: string[] };

type Prepared = {
  change: ContentChange & { plan: ImportPlan };
  shiftWeeks: number;
  /** The content of the database at the time of the comparison. */
  seen: string;
};

/**
 * Brings the database to the content by a three-way comparison with the last import (P46); training sessions are only
 * made, once. The first import fixes by how many weeks dates move, counted from `today` (P13), and which sessions move
 * on past public holidays; later ones keep it. `agree` sees the plan before anything is written, and takes its time:
 * nothing is locked meanwhile. If the database changed before the answer, the comparison is made anew and asked again.
 * What is refused changes nothing. `filesHash` is that of `hashOfContent`, if the content was read from files.
 */
export async function importContent(
  db: Db,
  content: Content,
  at: { today: string; now: Date },
  agree: (plan: ImportPlan, shiftWeeks: number) => boolean | Promise<boolean>,
  side?: Side,
  filesHash: string | null = null,
): Promise<ImportResult> {
  for (;;) {
    const prepared = await prepareImport(db, content, at, side);
    if ('faults' in prepared) return { ok: false, reason: 'unsound', faults: prepared.faults };
    const { shiftWeeks } = prepared;
    const { plan } = prepared.change;
    if (!(await agree(plan, shiftWeeks))) return { ok: false, reason: 'declined', plan };
    if (await applyImport(db, prepared, at.now, filesHash)) return { ok: true, plan, shiftWeeks };
  }
}

async function prepareImport(
  db: Db,
  content: Content,
  at: { today: string; now: Date },
  side: Side,
): Promise<Prepared | { faults: string[] }> {
  const { today } = at;
  const names = content.trainingSessions.flatMap(({ slug, aliases = [] }) => [slug, ...aliases]);
  const { stored, seen, shift, known, base, sessions, elsewhere } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => ({
      stored: await loadContent(trx),
      seen: await readContentState(trx),
      shift: (await trx.selectFrom('import_state').select('shift_weeks').executeTakeFirstOrThrow()).shift_weeks,
      known: await readExtraWeeks(trx),
      base: await readImported(trx),
      sessions: await findSessions(trx, names),
      elsewhere: await countOtherSessions(trx, names, today),
    }));
  const shiftWeeks = shift ?? weeksToMove(content, today);
  const ours = stored ? recordsOf(stored) : [];
  // Stored weeks come first: they also know sessions that have another slug in the files now.
  const extra = new Map([...known, ...extraWeeksFor(content, shiftWeeks, known)]);
  const moved = moveDates(content, shiftWeeks, extra);
  const keyOf = keysAcross([ours, recordsOf({ ...moved, trainingSessions: [] })]);
  const { fresh, differing } = sessionsToMake(moved.trainingSessions, sessions, (slug) => keyOf('course', slug));
  const theirs = recordsOf({ ...moved, trainingSessions: fresh });
  const ambiguous = ambiguousRecords({ ours, theirs });
  if (ambiguous.length > 0) return { faults: ambiguous };
  // A catalogue imported before the last import was kept counts as unchanged since.
  const merge = mergeRecords({ base: base.length > 0 ? base : ours, ours, theirs }, side);
  const merged = withFinalSlugs(merge.merged);
  const { kept, conflicts } = merge;
  const plan = { ...planOf(ours, merge.merged), kept, conflicts, sessions: { differing, elsewhere } };
  const whole = contentOf(merged);
  const faults = await faultsOfChange(db, { plan, content: whole, shiftWeeks, extra, at });
  if (faults.length > 0) return { faults };
  const files = { records: merge.base, rebased: base.length > 0 ? merge.rebased : merge.base };
  return { change: { plan, ours, merged, content: whole, extra, files }, shiftWeeks, seen };
}

/** False when the database has changed since the comparison; then nothing was written. */
async function applyImport(
  db: Db,
  { change, shiftWeeks, seen }: Prepared,
  now: Date,
  filesHash: string | null,
): Promise<boolean> {
  try {
    return await db
      .transaction()
      // An edit by anyone else between the check and our own writes fails these: they touch the same version.
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        await takeContent(trx);
        if ((await readContentState(trx)) !== seen) return false;
        await writePlan(trx, change, { author: 'import', at: now, note: null });
        await trx
          .updateTable('import_state')
          .set({
            as_of: change.content.site.asOf,
            shift_weeks: shiftWeeks,
            first_imported_at: sql`coalesce(first_imported_at, ${now})`,
            imported_at: now,
            files_hash: filesHash,
          })
          .execute();
        return true;
      });
  } catch (error) {
    const [serializationFailure, deadlock] = ['40001', '40P01'];
    const { code } = error as { code?: string };
    if (code === serializationFailure || code === deadlock) return false;
    throw error;
  }
}
