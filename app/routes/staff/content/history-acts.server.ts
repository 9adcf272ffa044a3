import { z } from 'zod';
import { revertTo } from '#app/features/content/commands.server.ts';
import { draftFromRevision, retireRecord } from '#app/features/content/edit.server.ts';
import { demand } from '#app/features/people/actor.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { common, takeStaffAct } from '#app/routes/staff/act.server.ts';
import { findStanding, type Place } from './editor.server.ts';
import { doneWith, notEditedInWords, refusedWith, type Sent } from './record-acts.server.ts';

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
    words: { kept: 'Nothing was changed.' },
    act: async (trx, { base, note }, moment) => {
      demand(sent.actor, 'content:publish');
      if (!(await findStanding(trx, place))) return { ok: false, reason: 'missing' };
      const wish = { id, base: Number(base), note: note.trim() || null };
      const done = await retireRecord(trx, wish, { editor: { person: sent.actor.person.id }, at: moment });
      if (done.ok) return doneWith(kind, 'retire-content', done);
      if (done.reason === 'faults') {
        return refusedWith('It cannot be retired yet. The list below says what still needs it.');
      }
      if (done.reason === 'unchanged') return refusedWith('It was changed or retired in the meantime.');
      return refusedWith(notEditedInWords(done, kind));
    },
  });
}

const revertSchema = z.object({ ...common, revision: z.string().regex(/^\d{1,9}$/, 'Choose a revision.') });

/** Takes the form of the history: an earlier revision is published again, or laid over the record as a draft. */
export function takeRevert(academy: Academy, place: Place, sent: Sent) {
  const { kind, id } = place;
  const act = textsOf(sent.form).act ?? '';
  return takeStaffAct(academy, {
    ...sent,
    schema: revertSchema,
    subject: `content:${id}`,
    compares: false,
    words: { kept: 'Nothing was changed.' },
    act: async (trx, { revision }, moment) => {
      const number = Number(revision);
      const editor = { person: sent.actor.person.id };
      demand(sent.actor, 'content:change');
      if (!(await findStanding(trx, place))) return { ok: false, reason: 'missing' };
      if (act === 'draft') {
        const done = await draftFromRevision(trx, { id, number }, { editor, now: moment.now });
        if (done.ok) return doneWith(kind, 'draft-from-revision', done);
        return refusedWith(notEditedInWords(done, kind));
      }
      demand(sent.actor, 'content:publish');
      const done = await revertTo(trx, { id, number, author: editor, note: null }, moment);
      if (done.ok)
        return { ok: true, did: { action: 'revert-content', details: { revision: done.number, to: number } } };
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
