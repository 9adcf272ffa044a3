import { isDeepStrictEqual } from 'node:util';
import type { Trx } from '#app/db/client.server.ts';
import { type At, openRecord, publishOpened } from './commands.server.ts';
import {
  keepDraft,
  liftDraft,
  newestOf,
  publishedBaseOf,
  readStanding,
  renameUnpublished,
  type Standing,
} from './drafts.server.ts';
import { type Examined, examine, readyToPublish } from './examine.server.ts';
import { fieldsOf, fieldsToType } from './form/fields.ts';
import { mergeValues } from './merge.ts';
import { keyOfValue, type RecordValue } from './records.ts';
import { type Author, currentOf, type Revision, valueToRevertTo } from './revisions.ts';

/** Which value a field takes that two people changed. */
export type Side = 'mine' | 'theirs' | 'before';

/** The typed form of a record. */
export type Edit = {
  id: number;
  /** The newest revision that stood on the page; 0 for none. */
  base: number;
  /** The published revision that the changes are counted from; 0 for none. */
  onto: number;
  /** The fields that can be typed. */
  typed: RecordValue;
  /** For fields that two people changed: the two revisions that the page offered, and the choice. */
  chosen?: { theirs: number; before: number; sides: Readonly<Record<string, Side>> };
  note: string | null;
  /** The revision that retired the record, if the page said so. */
  retired?: number;
};
export type Editor = { person: number };

/**
 * Somebody else changed the same fields (P71). Nothing was stored; `value` has what can be merged, with mine for these.
 */
export type BothChanged = {
  ok: false;
  reason: 'both-changed';
  value: RecordValue;
  fields: string[];
  theirs: Revision;
  before: Revision | undefined;
  base: number;
  onto: number;
};
export type NotEdited =
  | BothChanged
  | { ok: false; reason: 'missing' | 'unchanged' | 'needed' }
  /** Another record has the address or name. */
  | { ok: false; reason: 'taken'; key: string }
  /** By this revision, which the page did not show: what was typed would bring the record back. */
  | { ok: false; reason: 'retired'; number: number }
  | { ok: false; reason: 'faults'; examined: Examined };
/** `before` and `after` are the values of the record for the trace; null where there is no record. */
export type Edited = {
  ok: true;
  number: number;
  before: RecordValue | null;
  after: RecordValue | null;
  /** The saved value equals the published one, so the draft was removed. */
  lifted?: true;
};

type Settled = { ok: true; standing: Standing; value: RecordValue; base: number };

/** Merges the typed values with the changes of others since, as an import does (decision 17). */
function settle(standing: Standing, edit: Edit): Settled | BothChanged {
  const { record, revisions, current } = standing;
  const revision = (number: number) => revisions.find((one) => one.number === number);
  const newest = newestOf(standing);
  let value = withFixed(standing, chosenOf(edit, revision, edit.typed));
  let { onto } = edit;
  if (newest && newest.number !== edit.base) {
    const seen = revision(edit.base);
    onto = publishedBaseOf(newest);
    const theirs = withFixed(standing, newest.value);
    const merged = mergeValues(record, { base: seen?.value, ours: value, theirs });
    if (merged.conflicts.length > 0) {
      return both(merged, { theirs: newest, before: seen, base: newest.number, onto });
    }
    value = merged.value;
  }
  if (current && newest && onto !== current.number) {
    const from = revision(onto);
    const merged = mergeValues(record, { base: from?.value, ours: value, theirs: current.value });
    if (merged.conflicts.length > 0) {
      return both(merged, { theirs: current, before: from, base: newest.number, onto: current.number });
    }
    value = merged.value;
  }
  return { ok: true, standing, value, base: current?.number ?? 0 };
}

const both = (
  { value, conflicts }: ReturnType<typeof mergeValues>,
  rest: Pick<BothChanged, 'theirs' | 'before' | 'base' | 'onto'>,
): BothChanged => ({ ok: false, reason: 'both-changed', value, fields: conflicts, ...rest });

/** The refusal to bring back a record for somebody who has not read that it was retired. */
function unseenRetirement({ current }: Standing, { retired = 0 }: Edit): NotEdited | null {
  if (current?.state !== 'retired' || current.number === retired) return null;
  return { ok: false, reason: 'retired', number: current.number };
}

/**
 * A value with the fields that no form has as they are published: the prices of a course that is for sale come from the
 * ledger (P76), and a draft that is older than an import does not take earlier texts of the terms away (P28).
 */
export function withFixed(standing: Standing, typed: RecordValue): RecordValue {
  const { record, current } = standing;
  const typable = new Set(fieldsToType(record.kind, current !== undefined).map(({ name }) => name));
  const fixed = (current ?? standing.draft)?.value;
  const value = { ...typed };
  for (const { name } of fieldsOf(record.kind)) {
    if (typable.has(name)) continue;
    const kept = fixed?.[name];
    if (kept === undefined) delete value[name];
    else value[name] = kept;
  }
  return value;
}

function chosenOf(
  { chosen }: Edit,
  revision: (number: number) => Revision | undefined,
  value: RecordValue,
): RecordValue {
  const result = { ...value };
  for (const [field, side] of Object.entries(chosen?.sides ?? {})) {
    if (side === 'mine' || !chosen) continue;
    const taken = revision(chosen[side])?.value[field];
    if (taken === undefined) delete result[field];
    else result[field] = taken;
  }
  return result;
}

/**
 * Keeps what was typed as a draft over the record; one that is scheduled stays so. `publishAt` schedules it, null takes
 * it off the schedule. A draft may have faults.
 */
export async function saveRecordDraft(
  trx: Trx,
  edit: Edit,
  { editor, now, publishAt }: { editor: Editor; now: Date; publishAt?: Date | null },
): Promise<Edited | NotEdited> {
  const standing = await readStanding(trx, edit.id);
  if (!standing) return { ok: false, reason: 'missing' };
  const unseen = publishAt ? unseenRetirement(standing, edit) : null;
  if (unseen) return unseen;
  const settled = settle(standing, edit);
  if (!settled.ok) return settled;
  const { value, base } = settled;
  const named = await nameNew(trx, standing, value);
  if (named) return named;
  const { draft } = standing;
  const newest = newestOf(standing);
  const out = publishAt === undefined ? (draft?.publishAt ?? null) : publishAt;
  const same = newest && isDeepStrictEqual(newest.value, value) && (draft?.base ?? base) === base;
  if (same && (draft?.publishAt ?? null)?.getTime() === out?.getTime()) return { ok: false, reason: 'unchanged' };
  // Every field was taken back: nothing is left to publish.
  if (draft && !out && isDeepStrictEqual(value, standing.current?.value)) {
    await liftDraft(trx, edit.id);
    return { ok: true, number: draft.number, before: newest?.value ?? null, after: value, lifted: true };
  }
  const kept = { value, base, author: editor, at: now, note: edit.note, publishAt: out };
  const number = await keepDraft(trx, standing, kept);
  return { ok: true, number, before: newest?.value ?? null, after: value };
}

/** A record that was never published goes by the address or name in its draft. */
async function nameNew(trx: Trx, { record, current }: Standing, value: RecordValue): Promise<NotEdited | null> {
  if (current) return null;
  const key = keyOfValue(record.kind, value);
  return (await renameUnpublished(trx, record, key)) ? null : { ok: false, reason: 'taken', key };
}

/** Publishes the typed value if the check finds no fault. */
export async function publishEdit(
  trx: Trx,
  edit: Edit,
  { editor, at }: { editor: Editor; at: At },
): Promise<Edited | NotEdited> {
  const known = await readStanding(trx, edit.id);
  if (!known) return { ok: false, reason: 'missing' };
  const named = await nameNew(trx, known, edit.typed);
  if (named) return named;
  const opened = await openRecord(trx, edit.id, at);
  const standing = (await readStanding(trx, edit.id)) ?? known;
  const unseen = unseenRetirement(standing, edit);
  if (unseen) return unseen;
  const settled = settle(standing, edit);
  if (!settled.ok) return settled;
  return await publishValue(trx, { opened, standing, value: settled.value }, { author: editor, note: edit.note, at });
}

/** Publishes a value in place of the published one and removes the draft. The caller has locked the record. */
export async function publishValue(
  trx: Trx,
  {
    opened,
    standing,
    value,
  }: { opened: Awaited<ReturnType<typeof openRecord>>; standing: Standing; value: RecordValue },
  { author, note, at }: { author: Author; note: string | null; at: At },
): Promise<Edited | NotEdited> {
  const { record, current } = standing;
  const examined = await examine(trx, opened, value, at.today);
  if (examined.faults.length + examined.elsewhere.length > 0) return { ok: false, reason: 'faults', examined };
  const ready = readyToPublish(opened, value, at.today);
  const wish = { id: record.id, base: current?.number ?? 0, value: ready, author, note };
  const published = await publishOpened(trx, opened, wish, at);
  if (published.ok || published.reason === 'unchanged') await liftDraft(trx, record.id);
  if (published.ok) return { ok: true, number: published.number, before: current?.value ?? null, after: ready };
  if (published.reason === 'unsound') {
    return { ok: false, reason: 'faults', examined: { faults: [], elsewhere: published.faults, shortcomings: [] } };
  }
  return { ok: false, reason: 'unchanged' };
}

/** Takes the draft off; it stays in the history. `unchanged` when the page showed another one. */
export async function throwDraftAway(trx: Trx, edit: Pick<Edit, 'id' | 'base'>): Promise<Edited | NotEdited> {
  const standing = await readStanding(trx, edit.id);
  if (!standing) return { ok: false, reason: 'missing' };
  const { draft, current } = standing;
  if (!draft || draft.number !== edit.base) return { ok: false, reason: 'unchanged' };
  await liftDraft(trx, edit.id);
  return { ok: true, number: draft.number, before: draft.value, after: current?.value ?? null };
}

/** Lays an earlier revision over the record as a draft; address, place and prices stay as they are now. */
export async function draftFromRevision(
  trx: Trx,
  { id, number }: { id: number; number: number },
  { editor, now }: { editor: Editor; now: Date },
): Promise<Edited | NotEdited> {
  const standing = await readStanding(trx, id);
  const earlier = standing?.revisions.find((one) => one.number === number);
  if (!standing || !earlier) return { ok: false, reason: 'missing' };
  const current = currentOf(standing.revisions);
  const value = current ? valueToRevertTo(earlier.value, current.value) : earlier.value;
  const newest = newestOf(standing);
  if (isDeepStrictEqual(newest?.value, value)) return { ok: false, reason: 'unchanged' };
  const kept = {
    value,
    base: current?.number ?? 0,
    author: editor,
    at: now,
    note: `From revision ${number}`,
    publishAt: null,
  };
  return { ok: true, number: await keepDraft(trx, standing, kept), before: newest?.value ?? null, after: value };
}
