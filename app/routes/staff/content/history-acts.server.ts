import { z } from 'zod';
import { draftFromRevision, retireRecord } from '#app/features/content/edit.server.ts';
import { revertTo } from '#app/features/content/publish.server.ts';
import type { RecordValue, Revision } from '#app/features/content/records.ts';
import { contentChanges } from '#app/features/content/words.ts';
import { requirePermission } from '#app/features/people/actor.ts';
import { common, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { findStanding, type Place } from './editor.server.ts';
import { notEditedInWords } from './not-edited-in-words.ts';
import { doneWith, refusedWith, type Sent } from './record-acts.server.ts';

const retireSchema = z.object({
  ...common,
  base: z.string().regex(/^\d{1,9}$/),
  note: z.string().max(500).default(''),
});

/** Takes the form that retires a record. */
export function takeRetirement(academy: Academy, place: Place, sent: Sent) {
  const { kind, id } = place;
  return takeStaffAct(academy, {
    ...sent,
    schema: retireSchema,
    subject: `content:${id}`,
    compares: false,
    words: { kept: 'You changed nothing.' },
    act: async (trx, { base, note }, moment) => {
      requirePermission(sent.actor, 'content:publish');
      if (!(await findStanding(trx, place))) return { ok: false, reason: 'missing' };
      const wish = { id, base: Number(base), note: note.trim() || null };
      const done = await retireRecord(trx, wish, { editor: { person: sent.actor.person.id }, at: moment });
      if (done.ok) return doneWith(kind, 'retire-content', done);
      if (done.reason === 'faults') {
        return refusedWith('It cannot be retired yet. The list below says what still needs it.');
      }
      if (done.reason === 'unchanged') return refusedWith('Somebody else changed or retired it in the meantime.');
      return refusedWith(notEditedInWords(done, kind));
    },
  });
}

const number = z.string().regex(/^\d{1,9}$/);
/** `current` and `draft` are the revisions that stood on the page as published and as the draft over it; 0 for none. */
const revertSchema = z.object({
  ...common,
  revision: z.string().regex(/^\d{1,9}$/, 'Choose a revision.'),
  current: number,
  draft: number,
});

const movedOn = 'Somebody else changed this record while you looked at it. Look at the history again, then decide.';

/** Takes the form of the history: an earlier revision is published again, or laid over the record as a draft. */
export function takeRevert(academy: Academy, place: Place, sent: Sent) {
  const { kind, id } = place;
  const act = textsOf(sent.form).act ?? '';
  return takeStaffAct(academy, {
    ...sent,
    schema: revertSchema,
    subject: `content:${id}`,
    compares: false,
    words: { kept: 'You changed nothing.' },
    act: async (trx, { revision, ...seen }, moment) => {
      const number = Number(revision);
      const editor = { person: sent.actor.person.id };
      requirePermission(sent.actor, 'content:change');
      const standing = await findStanding(trx, place);
      if (!standing) return { ok: false, reason: 'missing' };
      const { current, draft } = standing;
      if (Number(seen.current) !== (current?.number ?? 0)) return refusedWith(movedOn);
      if (act === 'draft') {
        if (Number(seen.draft) !== (draft?.number ?? 0)) return refusedWith(movedOn);
        if (draft?.state === 'scheduled') {
          return refusedWith('Another text is scheduled. Take it off the schedule first.');
        }
        const done = await draftFromRevision(trx, { id, number }, { editor, now: moment.now });
        if (done.ok) return doneWith(kind, 'draft-from-revision', done);
        return refusedWith(notEditedInWords(done, kind));
      }
      requirePermission(sent.actor, 'content:publish');
      const done = await revertTo(trx, { id, number, author: editor, note: null }, moment, sent.actor.can);
      if (done.ok) {
        const revisions = (await findStanding(trx, place))?.revisions ?? [];
        const after = revisions.find(({ number: its }) => its === done.number);
        const before = revisions.find(({ number: its }) => its === after?.base);
        const changes = contentChanges(kind, shownBy(before), shownBy(after));
        return { ok: true, did: { action: 'revert-content', details: { revision: done.number, to: number }, changes } };
      }
      switch (done.reason) {
        case 'unknown':
          return refusedWith('This revision was never published. Take it as a draft.');
        case 'unchanged':
          return refusedWith(`It is as it was in revision ${number} already.`);
        case 'moved-on':
          return refusedWith('It was changed in the meantime.');
        case 'unsound':
          return refusedWith(`Revision ${number} cannot be published again: ${done.faults.slice(0, 5).join('. ')}.`);
      }
    },
  });
}

/** What visitors see of a record; null while it is retired. */
const shownBy = (current: Revision | undefined): RecordValue | null =>
  current && current.state !== 'retired' ? current.value : null;
