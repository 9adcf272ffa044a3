import { isDeepStrictEqual } from 'node:util';
import type { Trx } from '#app/db/client.server.ts';
import { contentPublishedEarly } from '#app/emails/faults.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Permission } from '#app/lib/permission-names.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { permissionFaults } from './check-record.ts';
import {
  type BothChanged,
  type Edit,
  freeKey,
  isUsableKey,
  keepDraft,
  liftDraft,
  mergeValues,
  newestOf,
  publishedBaseOf,
  publishedValueOf,
  readStanding,
  renameUnpublished,
  type Standing,
  settle,
  withFixed,
} from './drafts.server.ts';
import { type Examined, examine, readyToPublish } from './examine.server.ts';
import { isNeeded, kindInAddress, titleOf, wordsOf } from './form/kinds.ts';
import { type At, type Opened, openRecord, publishOpened } from './publish.server.ts';
import { type Author, currentOf, keyOfValue, type RecordValue, type Revision, valueToRevertTo } from './records.ts';
import { tellOwners } from './tell-owners.server.ts';
import { inBrisbane } from './words.ts';

export type Editor = { person: number };
/** The acts that the editor may do. */
type Can = ReadonlySet<Permission>;

export type NotEdited =
  | BothChanged
  | { ok: false; reason: 'missing' | 'unchanged' | 'needed' | 'no-draft' | 'other-draft' }
  /** Another record has the address or name. */
  | { ok: false; reason: 'taken'; key: string }
  /** Retired by this revision, which the page did not show: publishing the typed text would bring the record back. */
  | { ok: false; reason: 'retired'; number: number }
  /** Somebody else's draft, which the page did not show, would go out. `value` has it merged with what was typed. */
  | { ok: false; reason: 'unseen-draft'; value: RecordValue; draft: Revision; base: number; onto: number }
  /** A text is scheduled for this instant: nobody said whether it goes out now as well. */
  | { ok: false; reason: 'scheduled'; publishAt: Date }
  /** No text is scheduled any more. */
  | { ok: false; reason: 'not-scheduled' }
  /** The scheduled text changes these fields too, so what was typed there cannot go out without it. */
  | { ok: false; reason: 'in-scheduled'; fields: string[] }
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

/** The refusal to bring back a record for somebody who has not read that it was retired. */
function unseenRetirement({ current }: Standing, { retired = 0 }: Edit): NotEdited | null {
  if (current?.state !== 'retired' || current.number === retired) return null;
  return { ok: false, reason: 'retired', number: current.number };
}

/**
 * Keeps what was typed as a draft over the record; one that is scheduled stays so. `publishAt` schedules it, null takes
 * it off the schedule. A draft may have faults.
 */
export async function saveRecordDraft(
  trx: Trx,
  edit: Edit,
  { editor, now, publishAt, can }: { editor: Editor; now: Date; publishAt?: Date | null; can?: Can },
): Promise<Edited | NotEdited> {
  const standing = await readStanding(trx, edit.id);
  if (!standing) return { ok: false, reason: 'missing' };
  // Cancelling a scheduled text brings nothing back.
  const unseen = publishAt === null ? null : unseenRetirement(standing, edit);
  if (unseen) return unseen;
  const settled = settle(standing, edit);
  if (!settled.ok) return settled;
  const { value, base } = settled;
  const out = publishAt === undefined ? (standing.draft?.publishAt ?? null) : publishAt;
  const refused = out && (unseenDraft(standing, edit, value) ?? (can ? beyondPermissions(standing, value, can) : null));
  if (refused) return refused;
  const named = await nameNew(trx, standing, value);
  if (named) return named;
  const { draft } = standing;
  const newest = newestOf(standing);
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

/**
 * The refusal to send out what somebody else kept as a draft after the page was opened: nobody has read the two together.
 */
function unseenDraft(standing: Standing, edit: Edit, value: RecordValue): NotEdited | null {
  const { draft } = standing;
  if (!draft || draft.number === edit.base || isDeepStrictEqual(value, withFixed(standing, edit.typed))) return null;
  return { ok: false, reason: 'unseen-draft', value, draft, base: draft.number, onto: publishedBaseOf(draft) };
}

/** The refusal to publish fields that need more permissions than the person has. */
function beyondPermissions(standing: Standing, after: RecordValue, can: Can): NotEdited | null {
  const faults = permissionFaults(standing.record.kind, { before: publishedValueOf(standing), after }, can);
  return faults.length > 0
    ? { ok: false, reason: 'faults', examined: { faults, elsewhere: [], shortcomings: [] } }
    : null;
}

/** A record that was never published goes by the address or name in its draft; by the one before where it has none. */
async function nameNew(trx: Trx, { record, current }: Standing, value: RecordValue): Promise<NotEdited | null> {
  if (current) return null;
  const key = keyOfValue(record.kind, value);
  if (!isUsableKey(key)) return null;
  return (await renameUnpublished(trx, record, key)) ? null : { ok: false, reason: 'taken', key };
}

/**
 * Publishes the typed value if the check finds no fault. Over a text that is scheduled nothing is published unless `early`
 * says that it goes out now as well.
 */
export async function publishEdit(
  trx: Trx,
  edit: Edit,
  { editor, at, can, early = false }: { editor: Editor; at: Moment; can: Can; early?: boolean },
): Promise<Edited | NotEdited> {
  const edited = await openEdit(trx, edit);
  if (!edited.ok) return edited;
  const { publishAt } = edited.standing.draft ?? {};
  if (publishAt && !early) return { ok: false, reason: 'scheduled', publishAt };
  return await publishValue(trx, edited, { author: editor, note: edit.note, at, can });
}

type OpenedEdit = {
  ok: true;
  opened: Opened;
  standing: Standing;
  /** The typed values, merged over the present state of the record. */
  value: RecordValue;
};

/** Locks the record of what was typed; refused where nobody has read what would go out with it. */
async function openEdit(trx: Trx, edit: Edit): Promise<OpenedEdit | NotEdited> {
  const known = await readStanding(trx, edit.id);
  if (!known) return { ok: false, reason: 'missing' };
  const named = await nameNew(trx, known, edit.typed);
  if (named) return named;
  const opened = await openRecord(trx, edit.id);
  const standing = (await readStanding(trx, edit.id)) ?? known;
  const unseen = unseenRetirement(standing, edit);
  if (unseen) return unseen;
  const settled = settle(standing, edit);
  if (!settled.ok) return settled;
  const { value } = settled;
  return unseenDraft(standing, edit, value) ?? { ok: true, opened, standing, value };
}

/**
 * Publishes a value in place of the published one and removes the draft. `can` is what the person may do, unless that was
 * asked before. The caller has locked the record.
 */
export async function publishValue(
  trx: Trx,
  { opened, standing, value }: Omit<OpenedEdit, 'ok'>,
  { author, note, at, can }: { author: Author; note: string | null; at: Moment; can?: Can },
): Promise<Edited | NotEdited> {
  const { record, current } = standing;
  const found = await examine(trx, opened, value, at);
  const beyond = can ? permissionFaults(record.kind, { before: publishedValueOf(standing), after: value }, can) : [];
  const others = beyond.filter(({ path }) => !found.faults.some((fault) => fault.path[0] === path[0]));
  const examined = { ...found, faults: [...found.faults, ...others] };
  if (examined.faults.length + examined.elsewhere.length > 0) return { ok: false, reason: 'faults', examined };
  const ready = readyToPublish(opened, value, at.today);
  const wish = { id: record.id, base: current?.number ?? 0, value: ready, author, note };
  const published = await publishOpened(trx, opened, wish, at);
  if (published.ok || published.reason === 'unchanged') await liftDraft(trx, record.id);
  if (published.ok) {
    await tellOwners(trx, { kind: record.kind, before: opened.live?.value, after: ready, author }, at);
    return { ok: true, number: published.number, before: current?.value ?? null, after: ready };
  }
  if (published.reason === 'unsound') {
    return { ok: false, reason: 'faults', examined: { faults: [], elsewhere: published.faults, shortcomings: [] } };
  }
  return { ok: false, reason: 'unchanged' };
}

/**
 * Takes the draft off; it stays in the history. A record that was never published gives its address or name back with it.
 * `other-draft`: the page showed another one.
 */
export async function throwDraftAway(trx: Trx, edit: Pick<Edit, 'id' | 'base'>): Promise<Edited | NotEdited> {
  const standing = await readStanding(trx, edit.id);
  if (!standing) return { ok: false, reason: 'missing' };
  const { draft, current } = standing;
  if (!draft) return { ok: false, reason: 'no-draft' };
  if (draft.number !== edit.base) return { ok: false, reason: 'other-draft' };
  await liftDraft(trx, edit.id);
  if (!current) await freeKey(trx, standing.record);
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
  const named = await nameNew(trx, standing, value);
  if (named) return named;
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

/**
 * Publishes only what was typed beyond the scheduled text. That text keeps its day and its scheduler, and gets the
 * typed values too (P73).
 */
export async function publishBeside(
  trx: Trx,
  edit: Edit,
  { editor, at, can }: { editor: Editor; can: Can; at: Moment },
): Promise<Edited | NotEdited> {
  const edited = await openEdit(trx, edit);
  if (!edited.ok) return edited;
  const { opened, standing, value } = edited;
  const { record, current, draft } = standing;
  if (!draft?.publishAt || current?.state !== 'published') return { ok: false, reason: 'not-scheduled' };
  const scheduled = withFixed(standing, draft.value);
  const typed = mergeValues({ base: scheduled, mine: value, theirs: current.value });
  if (typed.conflicts.length > 0) return { ok: false, reason: 'in-scheduled', fields: typed.conflicts };
  const one = { opened, standing, value: typed.value };
  const published = await publishValue(trx, one, { author: editor, note: edit.note, at, can });
  const after = published.ok && (await readStanding(trx, record.id));
  if (!published.ok || !after) return published;
  // Publishing may write more than was typed, such as the former address of a course.
  const theirs = after.current?.value ?? typed.value;
  await keepDraft(trx, after, {
    value: mergeValues({ base: current.value, mine: value, theirs }).value,
    base: published.number,
    author: typeof draft.author === 'object' ? draft.author : editor,
    at: at.now,
    note: `Still scheduled after revision ${published.number} was published`,
    publishAt: draft.publishAt,
  });
  return published;
}

/** Publishes the typed values with the scheduled text, before its day, and tells the person who scheduled it (P73). */
export async function publishEarly(
  trx: Trx,
  edit: Edit,
  { editor, moment, can, by }: { editor: Editor; can: Can; moment: Moment; by: string },
): Promise<Edited | NotEdited> {
  const draft = (await readStanding(trx, edit.id))?.draft;
  const published = await publishEdit(trx, edit, { editor, at: moment, can, early: true });
  if (!published.ok || !draft?.publishAt || typeof draft.author !== 'object') return published;
  const { person } = draft.author;
  if (person === editor.person) return published;
  const row = await trx.selectFrom('people').select('email').where('id', '=', person).executeTakeFirst();
  const standing = await readStanding(trx, edit.id);
  if (!row?.email || !standing) return published;
  const { kind, id } = standing.record;
  const { academy } = moment;
  await queueMail(trx, {
    kind: 'content-published-early',
    about: 'nothing',
    to: row.email,
    replyTo: academy.email,
    dedupeKey: `content-published-early:${id}:${published.number}`,
    ...contentPublishedEarly({
      what: `${wordsOf(kind).one} ${titleOf(kind, published.after ?? {})}`,
      due: inBrisbane(draft.publishAt),
      by,
      link: `${academy.url}/staff/content/${kindInAddress(kind)}/${id}/history`,
      academy,
    }),
  });
  return published;
}

/**
 * Retires a record, when nothing that is still offered needs it. A text that was scheduled over it becomes a draft: it
 * would bring the record back.
 */
export async function retireRecord(
  trx: Trx,
  { id, base, note }: Pick<Edit, 'id' | 'base' | 'note'>,
  { editor, at }: { editor: Editor; at: At },
): Promise<Edited | NotEdited> {
  const known = await readStanding(trx, id);
  if (!known?.current) return { ok: false, reason: 'missing' };
  if (isNeeded(known.record)) return { ok: false, reason: 'needed' };
  const opened = await openRecord(trx, id);
  const current = (await readStanding(trx, id))?.current;
  if (!current || current.state === 'retired' || current.number !== base) return { ok: false, reason: 'unchanged' };
  const published = await publishOpened(trx, opened, { id, base, value: null, author: editor, note }, at);
  if (published.ok) {
    await takeOffSchedule(trx, id, { editor, at });
    return { ok: true, number: published.number, before: current.value, after: null };
  }
  if (published.reason !== 'unsound') return { ok: false, reason: 'unchanged' };
  return { ok: false, reason: 'faults', examined: { faults: [], elsewhere: published.faults, shortcomings: [] } };
}

async function takeOffSchedule(trx: Trx, id: number, { editor, at }: { editor: Editor; at: At }): Promise<void> {
  const standing = await readStanding(trx, id);
  const draft = standing?.draft;
  if (!standing || draft?.state !== 'scheduled') return;
  await keepDraft(trx, standing, {
    value: draft.value,
    base: publishedBaseOf(draft),
    author: typeof draft.author === 'object' ? draft.author : editor,
    at: at.now,
    note: 'Taken off the schedule, because the record was retired',
    publishAt: null,
  });
}
