import type { Trx } from '#app/db/client.server.ts';
import { type At, openRecord, publishOpened } from './commands.server.ts';
import { keepDraft, publishedBaseOf, readStanding } from './drafts.server.ts';
import type { Edited, Editor, NotEdited } from './edit.server.ts';
import { isNeeded } from './form/kinds.ts';
import type { Edit } from './settle-edit.ts';

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
  const opened = await openRecord(trx, id, at);
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
