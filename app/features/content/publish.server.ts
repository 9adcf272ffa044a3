import { z } from 'zod';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Permission } from '#app/lib/permission-names.ts';
import { faultsOfChange } from './change-faults.server.ts';
import { permissionFaults } from './check-record.ts';
import { isListed } from './form/fields.ts';
import {
  type Author,
  type ContentRecord,
  changesBetween,
  contentOf,
  currentOf,
  keyOfValue,
  type RecordChange,
  type RecordedContent,
  type RecordRef,
  type RecordValue,
  type Revision,
  renamableKinds,
  valueToRevertTo,
  withFinalSlugs,
} from './records.ts';
import { listRevisions, lockContent, readPublished, readRecord, writeChanges } from './revisions.server.ts';
import { tellOwners } from './tell-owners.server.ts';
import { faultInWords } from './words.ts';

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

/** A record with all that is published around it; `live` is its own, undefined while it is not published. */
export type Opened = { record: RecordRef; published: ContentRecord[]; live: ContentRecord | undefined };

/** Locks all content for this transaction and reads a record with the content around it. */
export async function openRecord(trx: Db, id: number): Promise<Opened> {
  await lockContent(trx);
  const record = await readRecord(trx, id);
  if (!record) throw new Error(`There is no record ${id}`);
  return await readAround(trx, record);
}

/** Reads the content around a record, as it is now, without keeping others from it. */
export async function readAround(db: Db, record: RecordRef): Promise<Opened> {
  const published = await readPublished(db);
  return { record, published, live: published.find(isSame(record)) };
}

const isSame =
  ({ kind, key }: Pick<RecordRef, 'kind' | 'key'>) =>
  (other: ContentRecord) =>
    other.kind === kind && other.key === key;

/**
 * Publishes a value of a record, or retires it (P70). Refused when the record moved on since the base (P71). A record
 * that does not exist throws.
 */
export async function publishRevision(trx: Db, wish: Wish, at: At): Promise<Published> {
  return await publishOpened(trx, await openRecord(trx, wish.id), wish, at);
}

/** As `publishRevision`, for a record that this transaction opened already. */
export async function publishOpened(trx: Db, opened: Opened, wish: Wish, at: At): Promise<Published> {
  const { record } = opened;
  const current = currentOf(await listRevisions(trx, record));
  if (!current && wish.base !== 0) throw new Error(`${record.kind} "${record.key}" was never published`);
  if (current && current.number !== wish.base) return { ok: false, reason: 'moved-on', current };
  const planned = planWish(opened, wish.value);
  if ('faults' in planned) return { ok: false, reason: 'unsound', faults: planned.faults };
  if (planned.changes.length === 0) return { ok: false, reason: 'unchanged' };
  const faults = await faultsOfChange(trx, planned, at);
  if (faults.length > 0) return { ok: false, reason: 'unsound', faults };
  const { author, note } = wish;
  const numbers = await writeChanges(trx, planned.changes, planned.content, { author, at: at.now, note });
  return { ok: true, number: numbers.get(record.id) ?? wish.base };
}

/** Records with values that are published at once, none of them renamed. */
export type Wished = { record: RecordRef; value: RecordValue };

/** The content around a record as it would be with others published. */
export function withPublished(opened: Opened, others: readonly Wished[]): Opened {
  const published = others.reduce((records, { record: { kind, key }, value }) => {
    const live = records.find(isSame({ kind, key }));
    return inPlace(
      records.filter((one) => one !== live),
      { kind, key, value },
      live,
    );
  }, opened.published);
  return { ...opened, published, live: published.find(isSame(opened.record)) };
}

/**
 * Publishes values of several records at once: they may name each other. Returns the number of each one's revision in
 * their order; null, and writes nothing, when the content would have a fault.
 */
export async function publishTogether(
  trx: Db,
  opened: Opened,
  { wishes, author, note }: { wishes: readonly Wished[]; author: Author; note: string },
  at: At,
): Promise<number[] | null> {
  const planned = planRecords(opened, withPublished(opened, wishes).published);
  if ('faults' in planned || (await faultsOfChange(trx, planned, at)).length > 0) return null;
  const numbers = await writeChanges(trx, planned.changes, planned.content, { author, at: at.now, note });
  return wishes.map(({ record }) => numbers.get(record.id) ?? 0);
}

/** The changes that publishing would make, and the whole content afterwards. */
export type Planned = { changes: RecordChange[]; content: RecordedContent };

/** Plans to publish a value of a record, or to retire it; or the reason why the content could not be put together. */
export function planWish(opened: Opened, value: RecordValue | null): Planned | { faults: string[] } {
  const { record, published, live } = opened;
  const { kind, key } = record;
  const renamable = live && renamableKinds.includes(kind);
  if (value && !renamable && keyOfValue(kind, value) !== key) {
    return { faults: [`${kind} ${key}: cannot become ${keyOfValue(kind, value)}`] };
  }
  const others = published.filter((one) => one !== live);
  const wished = value ? inPlace(others, withFormerSlug({ kind, key, value }, live), live) : withoutGap(others, live);
  return planRecords(opened, wished);
}

function planRecords({ published }: Opened, records: readonly ContentRecord[]): Planned | { faults: string[] } {
  const wished = withFinalSlugs(records);
  try {
    return { changes: changesBetween(published, wished), content: contentOf(wished) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    return { faults: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  }
}

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
  const left = live && live.value.group !== value.group ? withoutGap(others, live) : others;
  const beside = besidesOf(left, record);
  const wanted = typeof value.at === 'number' ? Math.round(value.at) : beside.length;
  const at = Math.min(Math.max(0, wanted), beside.length);
  const placed = { ...record, value: { ...value, at } };
  if (live && live.value.at === at && live.value.group === value.group) return [...others, placed];
  return [...atPlaces(left, new Map(beside.map((one, index) => [one, index < at ? index : index + 1]))), placed];
}

/** The others after a record was retired: those behind it move up. */
function withoutGap(others: ContentRecord[], retired: ContentRecord | undefined): ContentRecord[] {
  if (!retired || !isListed(retired.kind)) return others;
  return atPlaces(others, new Map(besidesOf(others, retired).map((one, index) => [one, index])));
}

/** The others in the list of a record, in their order. */
const besidesOf = (others: readonly ContentRecord[], { kind, value }: ContentRecord): ContentRecord[] =>
  others
    .filter((one) => one.kind === kind && one.value.group === value.group)
    .toSorted((a, b) => Number(a.value.at) - Number(b.value.at));

const atPlaces = (records: readonly ContentRecord[], places: ReadonlyMap<ContentRecord, number>): ContentRecord[] =>
  records.map((one) => {
    const place = places.get(one) ?? one.value.at;
    return place === one.value.at ? one : { ...one, value: { ...one.value, at: place } };
  });

/**
 * Gives a module the new title of its course when only the title was corrected: text and curriculum give one module the
 * same title. A title found elsewhere in the course belongs to a module that was moved or added, not to this one.
 */
function renamedModule(before: ContentRecord, after: ContentRecord): (record: ContentRecord) => ContentRecord {
  const [old, now] = [titlesOf(before.value), titlesOf(after.value)];
  return (record) => {
    const { course, number, title } = record.value;
    if (record.kind !== 'module' || course !== before.value.slug) return record;
    const next = now[Number(number) - 1];
    const isRenamed = old[Number(number) - 1] === title && next !== undefined && !old.includes(next);
    return isRenamed && !now.includes(String(title)) ? { ...record, value: { ...record.value, title: next } } : record;
  };
}

/** The titles in a curriculum; a draft may lack some. */
const titlesOf = ({ curriculum }: RecordValue): string[] =>
  Array.isArray(curriculum) ? curriculum.map((one: { module?: unknown }) => String(one.module ?? '')) : [];

/**
 * Publishes the value of an earlier revision again, or retires the record if that revision did. Its slug, former slugs
 * and place stay as they are now. `unknown`: there is no such revision, or it was never published. `can` is what the
 * person may do.
 */
export async function revertTo(
  trx: Trx,
  wish: { id: number; number: number; author: Author; note: string | null },
  at: Moment,
  can: ReadonlySet<Permission>,
): Promise<Published | { ok: false; reason: 'unknown' }> {
  const { id, number, author } = wish;
  const opened = await openRecord(trx, id);
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
  const published = await publishOpened(trx, opened, { id, base: current.number, value, author, note }, at);
  if (published.ok) await tellOwners(trx, { kind: record.kind, ...change, author }, at);
  return published;
}
