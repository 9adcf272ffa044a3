import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Trx } from '#app/db/client.server.ts';
import { contentNotPublished } from '#app/emails/content-not-published.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { keepDraft, publishedBaseOf, type Standing } from './drafts.server.ts';
import type { NotEdited } from './edit.server.ts';
import { kindInAddress, titleOf, wordsOf } from './form/kinds.ts';
import { inBrisbane } from './instants.ts';
import { faultInWords, labelOf } from './messages-to-staff.ts';
import type { RecordKind } from './records.ts';
import type { Revision } from './revisions.ts';

type Refused = {
  standing: Standing;
  /** The scheduled revision. */
  draft: Revision;
  /** The instant for which it was scheduled. */
  due: Date;
  editor: { person: number };
  /** Whether its editor may still publish it. */
  may: boolean;
  isRetired: boolean;
  /** Fields that somebody else changed as well. */
  conflicts: readonly string[];
};

/** Makes a scheduled text a draft again, and tells its editor why (P73). */
export async function refuseScheduled(trx: Trx, due: Refused, result: Refusal, moment: Moment): Promise<void> {
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
