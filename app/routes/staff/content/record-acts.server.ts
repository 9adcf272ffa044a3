import { href } from 'react-router';
import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import type { Edit, Side } from '#app/features/content/drafts.server.ts';
import {
  type Edited,
  type NotEdited,
  publishBeside,
  publishEarly,
  publishEdit,
  saveRecordDraft,
  throwDraftAway,
} from '#app/features/content/edit.server.ts';
import type { FormField } from '#app/features/content/form/field.ts';
import { fieldsToType } from '#app/features/content/form/fields.ts';
import { isFormAct, takenBackBy, withFormAct, withMine } from '#app/features/content/form/form-acts.ts';
import { kindInAddress } from '#app/features/content/form/kinds.ts';
import { typedOf, valueTyped } from '#app/features/content/form/typed.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { contentChanges } from '#app/features/content/words.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import {
  type ActDone,
  blankStaffForm,
  common,
  type Refused,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { actOr503, unconfirmed } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { dayOf } from '#app/lib/day-text.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import type { FormState, FormValues } from '#app/ui/form-state.ts';
import { type BothChangedView, bothAgain, bothView, fieldsInConflict, mergedForm } from './both-changed.server.ts';
import { type ExaminedView, examinedView, findStanding, type Place } from './editor.server.ts';
import { notEditedInWords } from './not-edited-in-words.ts';

export const kept = 'Nothing was saved, and what you typed is still below.';

/** The form of a record after it was sent: taken, worked on without saving, or refused. */
export type RecordSent =
  | { ok: true; to: string }
  | { ok: false; status: number; form: FormState; both?: BothChangedView; examined?: ExaminedView };

export const recordSchema = z.looseObject({
  ...common,
  base: z.string().regex(/^\d{1,9}$/),
  onto: z.string().regex(/^\d{1,9}$/),
  retired: z
    .string()
    .regex(/^\d{1,9}$/)
    .default('0'),
  note: z.string().max(500, 'Shorten the note to 500 characters.').default(''),
});

export type Sent = { form: FormData | null; actor: StaffActor };

/** Takes the form of a record: saves, publishes or schedules it, or only changes its lists. */
export async function takeRecordForm(academy: Academy, place: Place, sent: Sent): Promise<RecordSent> {
  const { kind, id } = place;
  const typed = textsOf(sent.form);
  const act = typed.act ?? '';
  if (isFormAct(act)) return await workOnRecord(academy, place, typed);
  let fields = fieldsToType(kind, true);
  let not: NotEdited | null = null;
  let gone = false;
  const result = await takeStaffAct(academy, {
    ...sent,
    schema: recordSchema,
    subject: `content:${id}`,
    compares: false,
    words: { kept },
    act: async (trx, data, moment) => {
      const standing = await findStanding(trx, place);
      if (!standing) return { ok: false, reason: 'missing' };
      fields = fieldsToType(kind, standing.current !== undefined);
      const edit = editOf(id, fields, typed, data);
      const open = undecided(typed);
      if (open.length > 0) {
        return refusedWith('Choose for each field that two people changed.', {
          [`c.${open[0]}`]: 'Choose one of these.',
        });
      }
      const done = await doAct(trx, { act, edit, typed, moment, actor: sent.actor });
      if ('reason' in done && done.reason === 'refused') return done;
      if (done.ok && act === 'discard') gone = done.after === null;
      if (done.ok) return doneWith(kind, done.lifted ? 'throw-draft-away' : (actions[act] ?? 'save-draft'), done);
      not = done as NotEdited;
      return refusedWith(notEditedInWords(not, kind));
    },
  });
  if (result.ok) return { ok: true, to: gone ? listAddress(kind) : recordAddress(place) };
  // Nothing more can be read while the database is away.
  if (result.status === 503) return result;
  return { ...result, ...(await refusedView(academy, place, { form: result.form, not, fields, typed })) };
}

/** The form again, when a button only works on its fields. */
export function workedOn(typed: FormValues, fields: readonly FormField[], published: FormValues): RecordSent {
  const { form: token = '', act = '', focus: _, ...values } = typed;
  return {
    ok: false,
    status: 200,
    form: { ...blankStaffForm(0, withFormAct(values, act, { fields, published })), token },
  };
}

async function workOnRecord(academy: Academy, place: Place, typed: FormValues): Promise<RecordSent> {
  const standing = await actOr503(unconfirmed, () => findStanding(academy.db, place));
  const current = standing?.current;
  const fields = fieldsToType(place.kind, current !== undefined);
  const back = takenBackBy(typed.act ?? '') !== null;
  const worked = workedOn(typed, fields, back && current ? typedOf(fields, current.value) : {});
  return worked.ok || !standing ? worked : { ...worked, both: await bothAgain(academy, standing, typed) };
}

/** The page of a record. */
export const recordAddress = ({ kind, id }: Place): string =>
  href('/staff/content/:kind/:id', { kind: kindInAddress(kind), id: String(id) });

/** The list of a kind of record. */
const listAddress = (kind: RecordKind): string => href('/staff/content/:kind', { kind: kindInAddress(kind) });

const actions: Record<string, string> = {
  save: 'save-draft',
  publish: 'publish-content',
  'publish-beside': 'publish-content',
  'publish-early': 'publish-content',
  schedule: 'schedule-content',
  'call-off': 'call-off-content',
  discard: 'throw-draft-away',
};

type Doing = { act: string; edit: Edit; typed: FormValues; moment: Moment; actor: StaffActor };

async function doAct(trx: Trx, { act, edit, typed, moment, actor }: Doing): Promise<Edited | NotEdited | Refused> {
  const editor = { person: actor.person.id };
  const { now } = moment;
  requirePermission(actor, 'content:change');
  if (act === 'save') return await saveRecordDraft(trx, edit, { editor, now, can: actor.can });
  if (act === 'discard') return await throwDraftAway(trx, edit);
  requirePermission(actor, 'content:publish');
  if (act === 'publish') return await publishEdit(trx, edit, { editor, at: moment, can: actor.can });
  if (act === 'publish-beside') return await publishBeside(trx, edit, { editor, at: moment, can: actor.can });
  if (act === 'publish-early') {
    return await publishEarly(trx, edit, { editor, moment, can: actor.can, by: actor.person.name });
  }
  if (act === 'call-off') return await saveRecordDraft(trx, edit, { editor, now, publishAt: null });
  if (act !== 'schedule') return refusedWith('Choose what to do.');
  const publishAt = instantIn(typed);
  if (!publishAt) return refusedWith('The text was not scheduled.', { day: 'Enter a day and a time.' });
  if (publishAt <= now)
    return refusedWith('The text was not scheduled.', { day: 'Choose a time that is still ahead.' });
  return await saveRecordDraft(trx, edit, { editor, now, publishAt, can: actor.can });
}

/** Nothing was done, in a sentence. */
export const refusedWith = (fault: string, errors?: Record<string, string>): Refused => ({
  ok: false,
  reason: 'refused',
  fault,
  ...(errors && { errors }),
});

/** The audit entry of an act. */
export const doneWith = (kind: RecordKind, action: string, { number, before, after }: Edited): ActDone => ({
  ok: true,
  did: { action, details: { revision: number }, changes: contentChanges(kind, before, after) },
});

function instantIn({ day = '', time = '' }: FormValues): Date | null {
  const known = dayOf(day);
  if (!known?.startsWith('20') || !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return null;
  return instantOf(known, time, academyZone);
}

function editOf(
  id: number,
  fields: Parameters<typeof valueTyped>[0],
  typed: FormValues,
  data: { base: string; onto: string; retired: string; note: string },
): Edit {
  const both = fieldsInConflict(typed);
  const sides = both.flatMap((field): [string, Side][] => {
    const side = typed[`c.${field}`];
    if (side === 'mine' || side === 'anew') return [[field, 'mine']];
    return side === 'theirs' || side === 'before' ? [[field, side]] : [];
  });
  // For a field that is written again, the latest typed text counts.
  const mine = both.filter((field) => typed[`c.${field}`] === 'mine');
  const chosen = mine.reduce((all, field) => withMine(all, `v.${field}`), typed);
  return {
    id,
    base: Number(data.base),
    onto: Number(data.onto),
    retired: Number(data.retired),
    typed: valueTyped(fields, chosen),
    note: data.note.trim() === '' ? null : data.note.trim(),
    ...(both.length > 0 && {
      chosen: {
        theirs: Number(typed['c-theirs']),
        before: Number(typed['c-before']),
        sides: Object.fromEntries(sides),
      },
    }),
  };
}

const undecided = (typed: FormValues): string[] =>
  fieldsInConflict(typed).filter((field) => !['mine', 'theirs', 'before', 'anew'].includes(typed[`c.${field}`] ?? ''));

type RefusedAct = { form: FormState; not: NotEdited | null; fields: readonly FormField[]; typed: FormValues };

/** The data of a refused form besides the sentence. */
async function refusedView(
  academy: Academy,
  place: Place,
  { form, not, fields, typed }: RefusedAct,
): Promise<Partial<Extract<RecordSent, { ok: false }>>> {
  if (not?.reason === 'both-changed') return await bothView(academy, { form, not, fields });
  if (not?.reason === 'unseen-draft') return { form: mergedForm(form, { ...not, fields }) };
  if (not?.reason === 'retired') return { form: { ...form, values: { ...form.values, retired: String(not.number) } } };
  const standing = fieldsInConflict(typed).length > 0 && (await findStanding(academy.db, place));
  const both = standing ? await bothAgain(academy, standing, typed) : undefined;
  if (not?.reason !== 'faults') return { both };
  const examined = examinedView(place.kind, fields, not.examined);
  const errors = Object.fromEntries(examined.faults.flatMap(({ name, message }) => (name ? [[name, message]] : [])));
  return { both, examined, form: { ...form, errors: { ...errors, ...form.errors } } };
}
