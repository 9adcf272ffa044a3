import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { contentNotPublished } from '#app/emails/content-not-published.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { openRecord } from './commands.server.ts';
import { contentChanges } from './content-changes.ts';
import { keepDraft, mergedOnto, publishedBaseOf, readStanding, type Standing } from './drafts.server.ts';
import { type NotEdited, publishValue, withFixed } from './edit.server.ts';
import { kindInAddress, titleOf, wordsOf } from './form/kinds.ts';
import { inBrisbane } from './instants.ts';
import { faultInWords, labelOf } from './messages-to-staff.ts';
import type { RecordKind } from './records.ts';

/** Whether a person may publish content now. */
type MayPublish = (trx: Trx, personId: number) => Promise<boolean>;

/**
 * Publishes the revisions whose instant has come (P73), each in a transaction of its own: one process does it, once.
 * After an outage it is late, and the trace says by how much. One with a fault, or that contradicts what was published
 * meanwhile, becomes a draft again, and the person who scheduled it gets a mail. So does one of a person who may not
 * publish any more (P68); then the mail goes to the academy. Of several that are due, one may name another: each is tried
 * again once others were published, and refused only when none of them helps. Returns how many were published.
 */
export async function publishScheduled(db: Db, moment: Moment, mayPublish: MayPublish): Promise<number> {
  const due = await db
    .selectFrom('content_drafts')
    .innerJoin('content_revisions', (join) =>
      join
        .onRef('content_revisions.record_id', '=', 'content_drafts.record_id')
        .onRef('content_revisions.number', '=', 'content_drafts.number'),
    )
    .select('content_drafts.record_id as id')
    .where('state', '=', 'scheduled')
    .where('publish_at', '<=', moment.now)
    .orderBy('publish_at')
    .orderBy('content_drafts.record_id')
    .execute();
  const job = { job: 'publish scheduled content', keyOf: ({ id }: { id: number }) => `content:${id}`, at: moment.now };
  const published = new Set<number>();
  for (let waits = due.length > 1; ; ) {
    const items = due.filter(({ id }) => !published.has(id));
    const count = await eachItem(db, { ...job, items }, async (trx, { id }) => {
      const done = await publishDue(trx, id, { moment, mayPublish, waits });
      if (done) published.add(id);
      return done;
    });
    if (!waits) return published.size;
    waits = count > 0 && items.length - count > 1;
  }
}

/** `waits`: one with a fault is left as it is for now, because what it names may be published next. */
type Asked = { moment: Moment; mayPublish: MayPublish; waits: boolean };

/** Whether it was published. Another process may have done it, or its editor may have called it off, meanwhile. */
async function publishDue(trx: Trx, id: number, { moment, mayPublish, waits }: Asked): Promise<boolean> {
  const { now } = moment;
  // In the order of those who publish by hand, so that neither waits for what the other holds.
  const opened = await openRecord(trx, id, moment);
  const row = await trx
    .selectFrom('content_drafts')
    .select('number')
    .where('record_id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!row) return false;
  const standing = await readStanding(trx, id);
  const draft = standing?.draft;
  if (!standing || draft?.state !== 'scheduled' || !draft.publishAt || draft.publishAt > now) return false;
  if (typeof draft.author !== 'object') throw new Error(`a scheduled revision of record ${id} has no person`);
  const editor = draft.author;
  const lateMinutes = Math.floor((now.getTime() - draft.publishAt.getTime()) / 60_000);
  const merged = mergedOnto(standing, draft.value, publishedBaseOf(draft));
  const value = withFixed(standing, merged.value);
  const note = `Scheduled for ${inBrisbane(draft.publishAt)}${lateMinutes > 0 ? `, ${lateMinutes} minutes late` : ''}`;
  const may = await mayPublish(trx, editor.person);
  // Files can retire a record below what is scheduled; to publish that would bring it back.
  const isRetired = standing.current?.state === 'retired' && publishedBaseOf(draft) !== standing.current.number;
  const result =
    !may || isRetired || merged.conflicts.length > 0
      ? ({ ok: false, reason: 'both-changed' } as const)
      : await publishValue(trx, { opened, standing, value }, { author: editor, note, at: moment });
  const trace = { at: now, personId: editor.person, subject: `content:${id}` };
  if (result.ok) {
    await writeAuditEntry(trx, {
      ...trace,
      action: 'publish-scheduled',
      details: { revision: result.number, 'late-minutes': lateMinutes },
      changes: contentChanges(standing.record.kind, result.before, result.after),
    });
    return true;
  }
  if (result.reason === 'unchanged') return false;
  if (result.reason === 'faults' && waits) return false;
  const reasons = may
    ? [...(isRetired ? [retiredSince] : []), ...reasonsOf(standing.record.kind, result, merged.conflicts)]
    : [noLongerMay];
  const kept = { value: draft.value, base: publishedBaseOf(draft), author: editor, at: now, publishAt: null };
  const number = await keepDraft(trx, standing, { ...kept, note: `Not published: ${reasons[0] ?? ''}`.slice(0, 500) });
  await writeAuditEntry(trx, { ...trace, action: 'refuse-scheduled', details: { revision: number } });
  await tellEditor(
    trx,
    { standing, editor: may ? editor : null, due: inBrisbane(draft.publishAt), reasons, number },
    moment,
  );
  return false;
}

const noLongerMay = 'The person who scheduled it may not publish any more.';
const retiredSince = 'It was retired after this text was scheduled.';

function reasonsOf(
  kind: RecordKind,
  result: { reason: NotEdited['reason'] } & Partial<Pick<Extract<NotEdited, { reason: 'faults' }>, 'examined'>>,
  conflicts: readonly string[],
): string[] {
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
