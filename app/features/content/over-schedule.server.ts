import type { Trx } from '#app/db/client.server.ts';
import { contentPublishedEarly } from '#app/emails/content-published-early.ts';
import type { Moment } from '#app/http/academy.server.ts';
import type { Permission } from '#app/lib/permission-names.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { At } from './commands.server.ts';
import { keepDraft, readStanding } from './drafts.server.ts';
import { type Edited, type Editor, type NotEdited, openEdit, publishEdit, publishValue } from './edit.server.ts';
import { kindInAddress, titleOf, wordsOf } from './form/kinds.ts';
import { inBrisbane } from './instants.ts';
import { mergeValues } from './merge.ts';
import { type Edit, withFixed } from './settle-edit.ts';

type By = { editor: Editor; can: ReadonlySet<Permission> };

/**
 * Publishes only what was typed beyond the text that is scheduled; that text keeps its day and whoever scheduled it, and
 * has what was typed as well (P73).
 */
export async function publishBeside(
  trx: Trx,
  edit: Edit,
  { editor, at, can }: By & { at: At },
): Promise<Edited | NotEdited> {
  const edited = await openEdit(trx, edit, at);
  if (!edited.ok) return edited;
  const { opened, standing, value } = edited;
  const { record, current, draft } = standing;
  if (!draft?.publishAt || current?.state !== 'published') return { ok: false, reason: 'not-scheduled' };
  const scheduled = withFixed(standing, draft.value);
  const typed = mergeValues(record, { base: scheduled, ours: value, theirs: current.value });
  if (typed.conflicts.length > 0) return { ok: false, reason: 'in-scheduled', fields: typed.conflicts };
  const one = { opened, standing, value: typed.value };
  const published = await publishValue(trx, one, { author: editor, note: edit.note, at, can });
  const after = published.ok && (await readStanding(trx, record.id));
  if (!published.ok || !after) return published;
  // Publishing may write more than was typed, such as the former address of a course.
  const theirs = after.current?.value ?? typed.value;
  await keepDraft(trx, after, {
    value: mergeValues(record, { base: current.value, ours: value, theirs }).value,
    base: published.number,
    author: typeof draft.author === 'object' ? draft.author : editor,
    at: at.now,
    note: `Still scheduled after revision ${published.number} was published`,
    publishAt: draft.publishAt,
  });
  return published;
}

/** Publishes what was typed with the text that is scheduled, before its day, and tells whoever scheduled it (P73). */
export async function publishEarly(
  trx: Trx,
  edit: Edit,
  { editor, moment, can, by }: By & { moment: Moment; by: string },
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
