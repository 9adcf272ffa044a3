import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import { faultsOfChange, faultsWithin } from './change-faults.server.ts';
import { type RecordFault, recordAt, schemaFaults, shortcomingsOf } from './check-record.ts';
import { titleOf } from './form/kinds.ts';
import { type At, type Opened, planWish, readAround } from './publish.server.ts';
import type { RecordKind, RecordRef, RecordValue } from './records.ts';
import { labelOf } from './words.ts';

/** The result of the check before a value is published (P72). */
export type Examined = {
  /** Faults that prevent publishing. */
  faults: RecordFault[];
  /** Faults that it would cause in other records; they stop publishing too. */
  elsewhere: string[];
  /** Shortcomings by the academy's standard. */
  shortcomings: RecordFault[];
};

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
  const planned = planWish(opened, ready);
  if ('faults' in planned) return { faults: [], elsewhere: planned.faults, shortcomings: [] };
  const { content } = planned;
  const key = String(value.slug ?? record.key);
  const found = faultsWithin(content).map((fault) => ({ ...fault, at: recordAt(content, fault) }));
  const here = found.filter(({ at }) => at?.kind === kind && [record.key, key].includes(at.key));
  const faults = here.map(({ at, message }) => ({ path: at?.path ?? [], message }));
  const others = await faultsOfChange(trx, planned, moment);
  return {
    faults,
    elsewhere: others.length > faults.length ? elsewhereOf(others, found, here) : [],
    shortcomings: faults.length > 0 ? [] : shortcomingsOf(content, { kind, key }),
  };
}

type Found = { message: string; at: ReturnType<typeof recordAt> };

/** The faults of other records and of course dates. */
function elsewhereOf(sentences: string[], found: readonly Found[], here: readonly Found[]): string[] {
  const others = found
    .filter((one) => !here.includes(one))
    .map(({ at, message }) => (at ? `${at.kind} ${at.key}: ${message}` : message));
  return [...others, ...sentences.slice(found.length)];
}

/**
 * A record that is to be published for the first time, or again, with what is true of every new one: a course without
 * learners is first offered on the day of publishing, `today` in Brisbane, and nobody has taken it (P70).
 */
export function withFirstValues(kind: RecordKind, value: RecordValue, today: Day): RecordValue {
  if (kind !== 'course') return value;
  return { ...value, published: value.published || today, learners: value.learners ?? 0 };
}

type Change = { kind: RecordKind; before: RecordValue | undefined; after: RecordValue; today: Day };

/** A course is not said to be offered since a day that is still ahead; the days that moved with content/ stay (P13). */
function firstOfferedFaults({ kind, before, after, today }: Change): RecordFault[] {
  const published = String(after.published ?? '');
  if (kind !== 'course' || published <= today || published === before?.published) return [];
  const message = 'must not lie ahead: left empty, it is the day on which we publish the course';
  return [{ path: ['published'], message }];
}

/** A record that names the one in question, and in which of its fields. */
export type NeededBy = { id: number; kind: RecordKind; title: string; fields: string[] };

/** The obstacles to retiring a record: other records that name it, and sentences about the rest. */
export async function whatNeeds(db: Db, record: RecordRef, at: At): Promise<{ records: NeededBy[]; others: string[] }> {
  const opened = await readAround(db, record);
  if (!opened.live) return { records: [], others: [] };
  const planned = planWish(opened, null);
  if ('faults' in planned) return { records: [], others: planned.faults };
  const { content } = planned;
  const found = faultsWithin(content);
  const others = (await faultsOfChange(db, planned, at)).slice(found.length);
  const rows = await db.selectFrom('content_records').select(['id', 'kind', 'key']).execute();
  const records = new Map<number, NeededBy>();
  for (const fault of found) {
    const at = recordAt(content, fault);
    const row = rows.find(({ kind, key }) => kind === at?.kind && key === at.key);
    if (!at || !row) {
      others.push(fault.message);
      continue;
    }
    const value = opened.published.find(({ kind, key }) => kind === at.kind && key === at.key)?.value ?? {};
    const known = records.get(row.id) ?? { id: row.id, kind: at.kind, title: titleOf(at.kind, value), fields: [] };
    const label = labelOf(at.kind, String(at.path[0]));
    records.set(row.id, { ...known, fields: [...new Set([...known.fields, label])] });
  }
  return { records: [...records.values()], others };
}
