import { z } from 'zod';
import type { Db } from '#app/db/client.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Permission } from '#app/lib/permission-names.ts';
import { faultsOfChange } from './change-faults.server.ts';
import { isListed } from './form/fields.ts';
import { loadContent } from './load-content.server.ts';
import { faultInWords } from './messages-to-staff.ts';
import { permissionFaults } from './needed-permissions.ts';
import { isEmpty, type Plan, planOf, withFinalSlugs } from './plan.ts';
import { listRevisions, readRecord } from './queries.server.ts';
import { type ContentRecord, contentOf, keyOfValue, type RecordValue, recordsOf, renamableKinds } from './records.ts';
import { renamedModule } from './renamed-module.ts';
import { type Author, currentOf, type RecordRef, type Revision, valueToRevertTo } from './revisions.ts';
import type { Content } from './schema.ts';
import { takeContent, writePlan } from './write-plan.server.ts';
import { catchUp, headOf } from './write-revisions.server.ts';

/** `now` is the instant that is recorded, `today` its day in Brisbane. */
export type At = { now: Date; today: Day };

/** A new value of a record, null to retire it. `base` is the number of the revision that it was made from. */
export type Wish = { id: number; base: number; value: RecordValue | null; author: Author; note: string | null };

export type Published =
  | { ok: true; number: number }
  /** The value is published already; nothing was written. */
  | { ok: false; reason: 'unchanged' }
  /** The record has a newer revision than `base`: that one. */
  | { ok: false; reason: 'moved-on'; current: Revision }
  /** The faults that the content would have, in words. */
  | { ok: false; reason: 'unsound'; faults: string[] };

/**
 * Publishes a value of a record, or retires it, in the way of an import (P70). Refused when the record moved on since
 * the base (P71); then, too, what somebody changed without a revision has become one. A record that does not exist
 * throws.
 */
export async function publishRevision(trx: Db, wish: Wish, at: At): Promise<Published> {
  return await publishOpened(trx, await openRecord(trx, wish.id, at), wish, at);
}

/** As `publishRevision`, for a record that this transaction opened already. */
export async function publishOpened(trx: Db, opened: Opened, wish: Wish, at: At): Promise<Published> {
  const { record, ours } = opened;
  const current = currentOf(await listRevisions(trx, record));
  if (!current && wish.base !== 0) throw new Error(`${record.kind} "${record.key}" was never published`);
  if (current && current.number !== wish.base) return { ok: false, reason: 'moved-on', current };
  const planned = planWish(opened, wish.value, at);
  if ('faults' in planned) return { ok: false, reason: 'unsound', faults: planned.faults };
  if (isEmpty(planned.plan)) return { ok: false, reason: 'unchanged' };
  const faults = await faultsOfChange(trx, planned);
  if (faults.length > 0) return { ok: false, reason: 'unsound', faults };
  const { author, note } = wish;
  const heads = await writePlan(trx, { ...planned, ours }, { author, at: at.now, note });
  return { ok: true, number: headOf(heads, record).newest };
}

/** Records with values that are published at once, none of them renamed. */
export type Wished = { record: RecordRef; value: RecordValue };

/** The content around a record as it would be with others published. */
export function withPublished(opened: Opened, others: readonly Wished[]): Opened {
  const find = (records: readonly ContentRecord[], { kind, key }: Pick<RecordRef, 'kind' | 'key'>) =>
    records.find((one) => one.kind === kind && one.key === key);
  const ours = others.reduce((records, { record: { kind, key }, value }) => {
    const live = find(records, { kind, key });
    return inPlace(
      records.filter((one) => one !== live),
      { kind, key, value },
      live,
    );
  }, opened.ours);
  return { ...opened, ours, live: find(ours, opened.record) };
}

/**
 * Publishes values of several records in one plan: they may name each other. Returns the number of each one's revision
 * in their order; null, and writes nothing, when the content would have a fault.
 */
export async function publishTogether(
  trx: Db,
  opened: Opened,
  { wishes, author, note }: { wishes: readonly Wished[]; author: Author; note: string },
  at: At,
): Promise<number[] | null> {
  const { ours, shiftWeeks } = opened;
  const wished = withPublished(opened, wishes).ours;
  const plan = planOf(ours, wished);
  const merged = withFinalSlugs(wished);
  const whole = together(merged);
  if ('faults' in whole) return null;
  const planned = { plan, merged, content: whole.content, shiftWeeks, extra: new Map<string, number>(), at };
  if ((await faultsOfChange(trx, planned)).length > 0) return null;
  const heads = await writePlan(trx, { ...planned, ours }, { author, at: at.now, note });
  return wishes.map(({ record }) => headOf(heads, record).newest);
}

/**
 * The plan of publishing a value of a record, or of retiring it; or the reason why the content could not be put
 * together.
 */
export function planWish(
  { record, ours, live, shiftWeeks }: Opened,
  value: RecordValue | null,
  at: At,
): PlannedWish | { faults: string[] } {
  const { kind, key } = record;
  const renamable = live && renamableKinds.includes(kind);
  if (value && !renamable && keyOfValue(kind, value) !== key) {
    return { faults: [`${kind} ${key}: cannot become ${keyOfValue(kind, value)}`] };
  }
  const others = ours.filter((one) => one !== live);
  const wished = value ? inPlace(others, withFormerSlug({ kind, key, value }, live), live) : others;
  const plan = planOf(ours, wished);
  const merged = withFinalSlugs(wished);
  const whole = together(merged);
  if ('faults' in whole) return whole;
  return { plan, merged, content: whole.content, shiftWeeks, extra: new Map<string, number>(), at };
}

export type PlannedWish = {
  plan: Plan;
  merged: ContentRecord[];
  content: Content;
  shiftWeeks: number;
  extra: Map<string, number>;
  at: At;
};

/** A renamed record has the slug it had among its former ones, as the database keeps it, and not the one it has now (P3). */
function withFormerSlug(record: ContentRecord, live: ContentRecord | undefined): ContentRecord {
  const { kind, value } = record;
  const from = live?.value.slug;
  if (!renamableKinds.includes(kind) || from === undefined || from === value.slug) return record;
  const former = [...new Set([...((value.aliases ?? []) as unknown[]), from])].filter((one) => one !== value.slug);
  return { ...record, value: { ...value, aliases: former } };
}

/**
 * The others with the record, at its place in its list; those behind it move on when it comes to another place. The
 * modules of a course go by the titles in it.
 */
function inPlace(others: ContentRecord[], record: ContentRecord, live: ContentRecord | undefined): ContentRecord[] {
  const { kind, value } = record;
  if (live && kind === 'course') return [...others.map(renamedModule(live, record)), record];
  if (!isListed(kind)) return [...others, record];
  const beside = others
    .filter((one) => one.kind === kind && one.value.group === value.group)
    .toSorted((a, b) => Number(a.value.at) - Number(b.value.at));
  const wanted = typeof value.at === 'number' ? Math.round(value.at) : beside.length;
  const at = Math.min(Math.max(0, wanted), beside.length);
  const placed = { ...record, value: { ...value, at } };
  if (live && live.value.at === at && live.value.group === value.group) return [...others, placed];
  const places = new Map(beside.map((one, index) => [one, index < at ? index : index + 1]));
  const moved = others.map((one) => {
    const place = places.get(one) ?? one.value.at;
    return place === one.value.at ? one : { ...one, value: { ...one.value, at: place } };
  });
  return [...moved, placed];
}

/**
 * Publishes the value of an earlier revision again, or retires the record if that revision did. Its slug, former slugs
 * and place stay as they are now. `unknown`: there is no such revision, or it was never published. `can` is what the
 * person may do; the command line may do everything.
 */
export async function revertTo(
  trx: Db,
  wish: { id: number; number: number; author: Author; note: string | null },
  at: At,
  can?: ReadonlySet<Permission>,
): Promise<Published | { ok: false; reason: 'unknown' }> {
  const { id, number, author } = wish;
  const opened = await openRecord(trx, id, at);
  const { record } = opened;
  const revisions = await listRevisions(trx, record);
  const [earlier, current] = [revisions.find((one) => one.number === number), currentOf(revisions)];
  if (!current || !earlier || earlier.state === 'draft' || earlier.state === 'scheduled') {
    return { ok: false, reason: 'unknown' };
  }
  const value = earlier.state === 'retired' ? null : valueToRevertTo(earlier.value, current.value);
  const change = { before: opened.live?.value, after: value ?? {} };
  const faults = value && can ? permissionFaults(record.kind, change, can) : [];
  if (faults.length > 0) {
    return { ok: false, reason: 'unsound', faults: faults.map((fault) => faultInWords(record.kind, fault)) };
  }
  const note = wish.note ?? `Back to revision ${number}`;
  return await publishOpened(trx, opened, { id, base: current.number, value, author, note }, at);
}

/**
 * Locks all content for this transaction and reads a record with the content around it. Its history has the live value.
 */
export async function openRecord(trx: Db, id: number, at: At): Promise<Opened> {
  const shiftWeeks = await takeContent(trx);
  const [record, stored] = [await readRecord(trx, id), await loadContent(trx)];
  if (!record || !stored) throw new Error(`There is no record ${id}`);
  const ours = recordsOf(stored);
  const live = ours.find(({ kind, key }) => kind === record.kind && key === record.key);
  await catchUp(trx, [{ kind: record.kind, key: record.key, was: live?.value ?? null }], at.now);
  return { record, ours, live, shiftWeeks };
}

export type Opened = { record: RecordRef; ours: ContentRecord[]; live: ContentRecord | undefined; shiftWeeks: number };

function together(records: ContentRecord[]): { content: Content } | { faults: string[] } {
  try {
    return { content: contentOf(records) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { faults: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  }
}
