import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { applyPlan } from './apply-plan.server.ts';
import { moveDates, moveDatesBack, weeksToMove } from './calendar.ts';
import { type ExtraWeeks, extraWeeksFor } from './holidays.ts';
import { loadContent } from './load-content.server.ts';
import { ambiguousRecords, mergeRecords, type Side } from './merge.ts';
import { type Plan, planOf, withFinalSlugs } from './plan.ts';
import { readExtraWeeks } from './read-extra-weeks.server.ts';
import { type ContentRecord, contentOf, recordsOf } from './records.ts';
import { crossFaults } from './rules.ts';
import type { Content } from './schema.ts';

export type ImportResult =
  | { ok: true; plan: Plan; shiftWeeks: number }
  | { ok: false; reason: 'declined'; plan: Plan }
  /** Each side is sound by itself, but together they are not: what is wrong, in words. */
  | { ok: false; reason: 'unsound'; faults: string[] };

type Prepared = {
  plan: Plan;
  shiftWeeks: number;
  extra: ExtraWeeks;
  merged: Content;
  base: ContentRecord[];
  /** How many people were in each training session then, by slug. */
  people: ReadonlyMap<string, number>;
  /** What the database held when the comparison was made. */
  seen: string;
};

/**
 * Brings the database to the content by a three-way comparison with the last import (P46). The first import fixes by
 * how many weeks dates move, counted from `today` (P13), and which sessions move on past public holidays; later ones
 * keep it. `agree` sees the plan before anything is
 * written, and takes its time: nothing is locked meanwhile. If the database changed before the answer, the comparison
 * is made anew and asked again. What is refused changes nothing. `filesHash` is that of `hashOfContent`, if the content
 * was read from files.
 */
export async function importContent(
  db: Db,
  content: Content,
  at: { today: string; now: Date },
  agree: (plan: Plan, shiftWeeks: number) => boolean | Promise<boolean>,
  side?: Side,
  filesHash: string | null = null,
): Promise<ImportResult> {
  for (;;) {
    const prepared = await prepareImport(db, content, at.today, side);
    if ('faults' in prepared) return { ok: false, reason: 'unsound', faults: prepared.faults };
    const { plan, shiftWeeks } = prepared;
    if (!(await agree(plan, shiftWeeks))) return { ok: false, reason: 'declined', plan };
    if (await applyImport(db, prepared, at.now, filesHash)) return { ok: true, plan, shiftWeeks };
  }
}

async function prepareImport(
  db: Db,
  content: Content,
  today: string,
  side: Side,
): Promise<Prepared | { faults: string[] }> {
  const { stored, seen, shift, known, base, people } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => ({
      stored: await loadContent(trx),
      seen: await stateOf(trx),
      shift: (await trx.selectFrom('import_state').select('shift_weeks').executeTakeFirstOrThrow()).shift_weeks,
      known: await readExtraWeeks(trx),
      people: await readPeople(trx),
      base: await trx.selectFrom('imported_records').selectAll().$castTo<ContentRecord>().execute(),
    }));
  const shiftWeeks = shift ?? weeksToMove(content, today);
  const ours = stored ? recordsOf(stored) : [];
  // Sessions of the database that the files do not have, or have under another slug, are found by what is known.
  const extra = new Map([...known, ...extraWeeksFor(content, shiftWeeks, known)]);
  const theirs = recordsOf(moveDates(content, shiftWeeks, extra));
  const ambiguous = ambiguousRecords({ ours, theirs });
  if (ambiguous.length > 0) return { faults: ambiguous };
  // A catalogue imported before the last import was kept counts as unchanged since.
  const hasPeople = ({ kind, key }: ContentRecord) => kind === 'training session' && people.has(key);
  const merge = mergeRecords({ base: base.length > 0 ? base : ours, ours, theirs }, side, hasPeople);
  const merged = contentOf(withFinalSlugs(merge.merged));
  const faults = crossFaults(
    moveDatesBack(merged, shiftWeeks, extra),
    merged.courses.map(({ slug }) => `courses/${slug}.yaml`),
    [],
  );
  if (faults.length > 0) return { faults: faults.map((fault) => inWords(fault, merged)) };
  const plan = planOf(ours, merge, people);
  return { plan, shiftWeeks, extra, merged, base: merge.base, people, seen };
}

/** False when the database is no longer what it was at the comparison; then nothing was written. */
async function applyImport(db: Db, prepared: Prepared, now: Date, filesHash: string | null): Promise<boolean> {
  try {
    return await db
      .transaction()
      // An edit by anyone else between the check and our own writes fails these: they touch the same version.
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const state = await trx.selectFrom('import_state').selectAll().forUpdate().executeTakeFirstOrThrow();
        if ((await stateOf(trx)) !== prepared.seen) return false;
        // Before anything else is locked, as whoever sells seats does: neither waits for what the other has.
        await trx.selectFrom('training_sessions').select('id').orderBy('id').forNoKeyUpdate().execute();
        if (await peopleCame(db, prepared)) return false;
        await applyPlan(trx, prepared.plan, { content: prepared.merged, extra: prepared.extra }, now);
        await storeBase(trx, prepared.base);
        await trx
          .updateTable('import_state')
          .set({
            as_of: prepared.merged.site.asOf,
            shift_weeks: prepared.shiftWeeks,
            first_imported_at: state.first_imported_at ?? now,
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

/** The versions of what an import writes, as one text; seats are not its business. */
async function stateOf(trx: Db): Promise<string> {
  const versions = await trx
    .selectFrom('snapshot_versions')
    .selectAll()
    .where('part', '<>', 'seats')
    .orderBy('part')
    .execute();
  return JSON.stringify(versions);
}

/** How many seats are sold, held, offered or waited for, by the slug of the training session; only where there are any. */
async function readPeople(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ slug: string; people: number }>`
    select slug, sum(seats)::integer as people from training_sessions session join (
      select training_session_id, sold + held + offered as seats from session_seats
      union all
      select training_session_id, seats from waiting_entries where closed_at is null and training_session_id is not null
    ) taken on taken.training_session_id = session.id
    where session.retired_at is null group by slug having sum(seats) > 0`.execute(db);
  return new Map(rows.map(({ slug, people }) => [slug, people]));
}

/**
 * Whether somebody came since the comparison into a session that the plan changes or retires. Its rows are locked: nobody
 * comes any more. Asked on a connection of its own, because the import's sees the database as it was when it began.
 */
async function peopleCame(db: Db, { plan, people: before }: Prepared): Promise<boolean> {
  const written = [...plan.changed, ...plan.retired].filter(({ kind }) => kind === 'training session');
  if (written.length === 0) return false;
  const people = await readPeople(db);
  return written.some(({ key }) => people.has(key) && !before.has(key));
}

async function storeBase(trx: Db, base: ContentRecord[]): Promise<void> {
  await trx.deleteFrom('imported_records').execute();
  const rowsPerStatement = 1000;
  for (let start = 0; start < base.length; start += rowsPerStatement) {
    const rows = base.slice(start, start + rowsPerStatement);
    await trx
      .insertInto('imported_records')
      .values(rows.map(({ kind, key, value }) => ({ kind, key, value: JSON.stringify(value) })))
      .execute();
  }
}

function inWords({ file, path, message }: ReturnType<typeof crossFaults>[number], merged: Content): string {
  const name = 'name' in file ? file.name : `course ${merged.courses[file.course]?.slug}`;
  return `${name} ${path.join('.')}: ${message}`;
}
