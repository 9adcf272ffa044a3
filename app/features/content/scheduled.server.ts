import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { contentNotPublished } from '#app/emails/faults.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import type { Permission } from '#app/lib/permission-names.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { permissionsNeeded } from './check-record.ts';
import {
  keepDraft,
  liftDraft,
  mergedOnto,
  publishedBaseOf,
  publishedValueOf,
  readStanding,
  type Standing,
  withFixed,
} from './drafts.server.ts';
import { type NotEdited, publishValue } from './edit.server.ts';
import { examine, readyToPublish } from './examine.server.ts';
import { kindInAddress, titleOf, wordsOf } from './form/kinds.ts';
import { openRecord, publishTogether, type Wished, withPublished } from './publish.server.ts';
import { keyOfValue, type RecordKind, type RecordValue } from './records.ts';
import { contentChanges, faultInWords, inBrisbane, labelOf } from './words.ts';

/** Whether a person has a permission now. */
type MayNow = (trx: Trx, personId: number, permission: Permission) => Promise<boolean>;

/**
 * Publishes the revisions whose instant has come (P73), each once, in a transaction of its own. After an outage it is
 * late, and the trace says by how much. A revision with a fault, one that contradicts what was published since, and one
 * whose author may not publish any more (P68) become drafts again. The author gets a mail, or the academy if the author
 * has left. Due revisions may name each other, so each is tried again after others were published. The rest are
 * published together, and refused only when that fails too. Returns how many were published.
 */
export async function publishScheduled(db: Db, moment: Moment, mayNow: MayNow): Promise<number> {
  const due = await db
    .selectFrom('content_records')
    .innerJoin('content_revisions', (join) => join.onRef('record_id', '=', 'id').onRef('number', '=', 'draft'))
    .select('id')
    .where('state', '=', 'scheduled')
    .where('publish_at', '<=', moment.now)
    .orderBy('publish_at')
    .orderBy('id')
    .execute();
  const job = { job: 'publish scheduled content', keyOf: ({ id }: { id: number }) => `content:${id}`, at: moment.now };
  const published = new Set<number>();
  for (let waits = due.length > 1; ; ) {
    const items = due.filter(({ id }) => !published.has(id));
    const count = await eachItem(db, { ...job, items }, async (trx, { id }) => {
      const done = await publishDue(trx, id, { moment, mayNow, waits });
      if (done) published.add(id);
      return done;
    });
    if (!waits) return published.size;
    waits = count > 0 && items.length - count > 1;
    const left = due.filter(({ id }) => !published.has(id)).map(({ id }) => id);
    if (!waits && left.length > 1) {
      const together = { ...job, items: [left], keyOf: () => 'part:texts that name each other' };
      await eachItem(db, together, async (trx, ids) => {
        const done = await publishNamingEachOther(trx, ids, { moment, mayNow });
        for (const id of done) published.add(id);
        return done.length > 0;
      });
    }
  }
}

/** `waits`: one with a fault is left as it is for now, because what it names may be published next. */
type Asked = { moment: Moment; mayNow: MayNow; waits: boolean };

/** Whether it was published. Another process may have published it, or its editor may have cancelled it. */
async function publishDue(trx: Trx, id: number, { moment, mayNow, waits }: Asked): Promise<boolean> {
  const due = await takeDue(trx, id, { moment, mayNow });
  if (!due) return false;
  const { opened, standing, editor, value, note, isRefused } = due;
  const result = isRefused
    ? ({ ok: false, reason: 'both-changed' } as const)
    : await publishValue(trx, { opened, standing, value }, { author: editor, note, at: moment });
  if (result.ok) {
    await tracePublished(trx, due, { ...result, at: moment.now });
    return true;
  }
  if (result.reason === 'unchanged') return false;
  if (result.reason === 'faults' && waits) return false;
  await refuseScheduled(trx, due, result, moment);
  return false;
}

/**
 * Publishes those due texts that have no fault once all of them are published: two new courses may name each other.
 * Only texts of one editor, because they become one change. Returns the ids of the published ones.
 */
async function publishNamingEachOther(
  trx: Trx,
  ids: readonly number[],
  asked: Omit<Asked, 'waits'>,
): Promise<number[]> {
  const { moment } = asked;
  let group: Due[] = [];
  for (const id of ids) {
    const due = await takeDue(trx, id, asked);
    const isOne = due && !due.isRefused && keyOfValue(due.standing.record.kind, due.value) === due.standing.record.key;
    if (isOne && (group[0]?.editor ?? due.editor).person === due.editor.person) group.push(due);
  }
  const wishOf = ({ opened, standing: { record }, value }: Due): Wished => ({
    record,
    value: readyToPublish(opened, value, moment.today),
  });
  for (let before = 0; before !== group.length; ) {
    before = group.length;
    const found: { due: Due; faults: number; elsewhere: number }[] = [];
    for (const due of group) {
      const others = group.filter((other) => other !== due).map(wishOf);
      const { faults, elsewhere } = await examine(trx, withPublished(due.opened, others), due.value, moment);
      found.push({ due, faults: faults.length, elsewhere: elsewhere.length });
    }
    // A text with a fault of its own causes faults in all the others.
    const own = found.filter(({ faults }) => faults === 0);
    const sound = own.length < found.length ? own : own.filter(({ elsewhere }) => elsewhere === 0);
    group = sound.map(({ due }) => due);
  }
  const [first] = group;
  if (!first || group.length < 2) return [];
  const { editor, note } = first;
  const wishes = group.map(wishOf);
  const numbers = await publishTogether(trx, first.opened, { wishes, author: editor, note }, moment);
  if (!numbers) return [];
  for (const [at, due] of group.entries()) {
    const { record, current } = due.standing;
    await liftDraft(trx, record.id);
    const [number = 0, after = {}] = [numbers[at], wishes[at]?.value];
    await tracePublished(trx, due, { number, before: current?.value ?? null, after, at: moment.now });
  }
  return group.map(({ standing }) => standing.record.id);
}

/** A scheduled text whose instant has come. */
type Due = NonNullable<Awaited<ReturnType<typeof takeDue>>>;

/** Locks a scheduled revision and merges it with the published one; null if it is gone. */
async function takeDue(trx: Trx, id: number, { moment, mayNow }: Omit<Asked, 'waits'>) {
  const { now } = moment;
  // In the same order as publishing by hand, so that neither waits for the other's locks.
  const opened = await openRecord(trx, id);
  const row = await trx
    .selectFrom('content_records')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row) return null;
  const standing = await readStanding(trx, id);
  const draft = standing?.draft;
  if (!standing || draft?.state !== 'scheduled' || !draft.publishAt || draft.publishAt > now) return null;
  if (typeof draft.author !== 'object') throw new Error(`a scheduled revision of record ${id} has no person`);
  const lateMinutes = Math.floor((now.getTime() - draft.publishAt.getTime()) / 60_000);
  const merged = mergedOnto(standing, withFixed(standing, draft.value), publishedBaseOf(draft));
  const change = { before: publishedValueOf(standing), after: merged.value };
  const permissions = ['content:publish' as const, ...permissionsNeeded(standing.record.kind, change).keys()];
  let may = true;
  for (const permission of permissions) may &&= await mayNow(trx, draft.author.person, permission);
  // Publishing a text of a record that was retired since would bring the record back.
  const isRetired = standing.current?.state === 'retired' && publishedBaseOf(draft) !== standing.current.number;
  const { conflicts } = merged;
  return {
    opened,
    standing,
    draft,
    due: draft.publishAt,
    lateMinutes,
    editor: draft.author,
    value: merged.value,
    note: `Scheduled for ${inBrisbane(draft.publishAt)}${lateMinutes > 0 ? `, ${lateMinutes} minutes late` : ''}`,
    ...{ may, isRetired, conflicts },
    isRefused: !may || isRetired || conflicts.length > 0,
  };
}

type PublishedNow = { number: number; before: RecordValue | null; after: RecordValue | null; at: Date };

async function tracePublished(trx: Trx, { standing, editor, lateMinutes }: Due, done: PublishedNow): Promise<void> {
  await writeAuditEntry(trx, {
    at: done.at,
    personId: editor.person,
    subject: `content:${standing.record.id}`,
    action: 'publish-scheduled',
    details: { revision: done.number, 'late-minutes': lateMinutes },
    changes: contentChanges(standing.record.kind, done.before, done.after),
  });
}

/** Makes a scheduled text a draft again, and tells its editor why (P73). */
async function refuseScheduled(trx: Trx, due: Due, result: Refusal, moment: Moment): Promise<void> {
  const { standing, draft, editor, may, isRetired, conflicts } = due;
  const reasons = may
    ? [...(isRetired ? [retiredSince] : []), ...reasonsOf(standing.record.kind, result, conflicts)]
    : [noLongerMay];
  const kept = { value: draft.value, base: publishedBaseOf(draft), author: editor, at: moment.now, publishAt: null };
  const number = await keepDraft(trx, standing, { ...kept, note: `Not published: ${reasons[0] ?? ''}`.slice(0, 500) });
  await writeAuditEntry(trx, {
    at: moment.now,
    personId: editor.person,
    subject: `content:${standing.record.id}`,
    action: 'refuse-scheduled',
    details: { revision: number },
  });
  await tellEditor(trx, { standing, editor: may ? editor : null, due: inBrisbane(due.due), reasons, number }, moment);
}

const noLongerMay = 'The person who scheduled it may not publish any more.';
const retiredSince = 'It was retired after this text was scheduled.';

type Refusal = { reason: NotEdited['reason'] } & Partial<Pick<Extract<NotEdited, { reason: 'faults' }>, 'examined'>>;

function reasonsOf(kind: RecordKind, result: Refusal, conflicts: readonly string[]): string[] {
  if (result.examined) {
    return [...result.examined.faults.map((fault) => faultInWords(kind, fault)), ...result.examined.elsewhere];
  }
  return conflicts.map((field) => `${labelOf(kind, field)}: somebody else changed it after your draft was made`);
}

async function tellEditor(
  trx: Trx,
  {
    standing,
    editor,
    due,
    reasons,
    number,
  }: { standing: Standing; editor: { person: number } | null; due: string; reasons: string[]; number: number },
  { academy }: Moment,
): Promise<void> {
  const row =
    editor && (await trx.selectFrom('people').select('email').where('id', '=', editor.person).executeTakeFirst());
  const { record, draft, current } = standing;
  const title = titleOf(record.kind, draft?.value ?? current?.value ?? {});
  await queueMail(trx, {
    kind: 'content-not-published',
    about: 'nothing',
    to: row?.email ?? academy.email,
    replyTo: academy.email,
    dedupeKey: `content-not-published:${record.id}:${number}`,
    ...contentNotPublished({
      what: `${wordsOf(record.kind).one} ${title}`,
      due,
      reasons,
      link: `${academy.url}/staff/content/${kindInAddress(record.kind)}/${record.id}`,
      toEditor: editor !== null,
      isPublic: current?.state === 'published',
      academy,
    }),
  });
}
