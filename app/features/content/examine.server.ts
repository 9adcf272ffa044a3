import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { moveDatesBack } from './calendar.ts';
import { faultsOfChange } from './change-faults.server.ts';
import { type RecordFault, recordAt, schemaFaults, shortcomingsOf } from './check-record.ts';
import { type At, type Opened, planWish } from './commands.server.ts';
import { firstOfferedFaults, withFirstValues } from './first-values.ts';
import { loadContent } from './load-content.server.ts';
import { type RecordKind, type RecordValue, recordsOf } from './records.ts';
import type { RecordRef } from './revisions.ts';
import { crossFaults } from './rules.ts';

/** The result of the check before a value is published (P72). */
export type Examined = {
  /** They stop publishing. */
  faults: RecordFault[];
  /** Faults that it would cause in other records; they stop publishing too. */
  elsewhere: string[];
  /** Its shortcomings by the academy's standard. */
  shortcomings: RecordFault[];
};

/** Reads the content around a record, as it is now, without keeping others from it. */
export async function readAround(trx: Db, record: RecordRef): Promise<Opened> {
  const stored = await loadContent(trx);
  if (!stored) throw new Error('Nothing was imported yet');
  const state = await trx.selectFrom('import_state').select('shift_weeks').executeTakeFirstOrThrow();
  const ours = recordsOf(stored);
  const live = ours.find(({ kind, key }) => kind === record.kind && key === record.key);
  return { record, ours, live, shiftWeeks: state.shift_weeks ?? 0 };
}

/** The value as it would be published: a new course has its first figures. */
export const readyToPublish = ({ record, live }: Opened, value: RecordValue, today: Day): RecordValue =>
  live ? value : withFirstValues(record.kind, value, today);

/** Checks a value of a record as `content check` does. Faults of the value alone hide all others. */
export async function examine(trx: Db, opened: Opened, value: RecordValue, moment: At): Promise<Examined> {
  const { today } = moment;
  const { record, live } = opened;
  const { kind } = record;
  const ready = readyToPublish(opened, value, today);
  const change = { kind, before: live?.value, after: value };
  const own = [...schemaFaults(kind, ready), ...firstOfferedFaults({ ...change, today })];
  if (own.length > 0) return { faults: own, elsewhere: [], shortcomings: [] };
  const planned = planWish(opened, ready, moment);
  if ('faults' in planned) return { faults: [], elsewhere: planned.faults, shortcomings: [] };
  const { content } = planned;
  const key = String(value.slug ?? record.key);
  const files = content.courses.map(({ slug }) => `courses/${slug}.yaml`);
  const found = crossFaults(moveDatesBack(content, planned.shiftWeeks), files, []).map((fault) => ({
    ...fault,
    at: recordAt(content, fault),
  }));
  const here = found.filter(({ at }) => at?.kind === kind && [record.key, key].includes(at.key));
  const faults = here.map(({ at, message }) => ({ path: at?.path ?? [], message }));
  const others = await faultsOfChange(trx, planned);
  return {
    faults,
    elsewhere: others.length > faults.length ? elsewhereOf(others, found, here) : [],
    shortcomings: faults.length > 0 ? [] : shortcomingsOf(content, { kind: kind as RecordKind, key }),
  };
}

type Found = { message: string; at: ReturnType<typeof recordAt> };

/** The faults of other records, and those that training sessions have. */
function elsewhereOf(sentences: string[], found: readonly Found[], here: readonly Found[]): string[] {
  const others = found
    .filter((one) => !here.includes(one))
    .map(({ at, message }) => (at ? `${at.kind} ${at.key}: ${message}` : message));
  return [...others, ...sentences.slice(found.length)];
}
