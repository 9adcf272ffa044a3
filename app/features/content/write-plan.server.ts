import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { applyPlan } from './apply-plan.server.ts';
import type { ExtraWeeks } from './holidays.ts';
import type { Plan, PlannedRecord } from './plan.ts';
import type { ContentRecord, RecordValue } from './records.ts';
import type { Content } from './schema.ts';
import { catchUp, type Heads, type RecordChange, type Stamp, writeRevisions } from './write-revisions.server.ts';

/** A change of the content: the plan, and the records before and after it, all by the keys in the database. */
export type ContentChange = {
  plan: Plan;
  ours: ContentRecord[];
  merged: ContentRecord[];
  /** The merged records put together. */
  content: Content;
  /** Extra weeks that new training sessions were moved, beyond the common ones. */
  extra: ExtraWeeks;
  /** For an import: the records of the files, and which of them changed since the last import. */
  files?: { records: ContentRecord[]; rebased: PlannedRecord[] };
};

/**
 * Locks the content against other writers until the transaction ends, and makes an import fail that began before.
 * Returns the weeks by which the content's dates were moved.
 */
export async function takeContent(trx: Db): Promise<number> {
  const { shift_weeks } = await trx
    .updateTable('import_state')
    .set(({ ref }) => ({ imported_at: ref('imported_at') }))
    .returning('shift_weeks')
    .executeTakeFirstOrThrow();
  return shift_weeks ?? 0;
}

/** Writes a plan, and a revision of each record that it touches (P70); their heads. The caller took the content. */
export async function writePlan(trx: Db, change: ContentChange, stamp: Stamp): Promise<Heads> {
  const changes = changesOf(change);
  const heads = await catchUp(trx, changes, stamp.at);
  await stampPrices(trx, stamp);
  await applyPlan(trx, change.plan, change, stamp.at);
  await writeRevisions(trx, heads, changes, stamp);
  return heads;
}

function changesOf({ plan, ours, merged, files }: ContentChange): RecordChange[] {
  const [before, after, inFiles] = [ours, merged, files?.records ?? []].map(
    (records) => new Map(records.map((record) => [idOf(record), record.value])),
  ) as [Values, Values, Values];
  const touched = [...plan.added, ...plan.changed, ...plan.retired, ...(files?.rebased ?? [])];
  const byId = new Map(touched.map(({ kind, key }) => [idOf({ kind, key }), { kind, key }]));
  return [...byId]
    .filter(([, { kind }]) => kind !== 'training session')
    .map(([id, record]) => ({
      ...record,
      was: before.get(id) ?? null,
      now: after.get(id) ?? null,
      files: inFiles.get(id) ?? null,
    }));
}

type Values = Map<string, RecordValue>;
const idOf = ({ kind, key }: PlannedRecord) => `${kind} ${key}`;

/**
 * Says for the rest of the transaction who changes prices of courses, when and why. The ledger of prices follows every
 * change by a trigger (P76); without this it says that the change was found.
 */
async function stampPrices(trx: Db, { author, at, note }: Stamp): Promise<void> {
  const who = typeof author === 'object' ? { author: 'person', person: author.person } : { author };
  await sql`select set_config('academy.price_stamp', ${JSON.stringify({ ...who, at, note })}, true)`.execute(trx);
}
