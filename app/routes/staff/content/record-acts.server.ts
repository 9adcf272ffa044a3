import { href } from 'react-router';
import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { contentChanges } from '#app/features/content/content-changes.ts';
import {
  type BothChanged,
  type Edit,
  type Edited,
  type NotEdited,
  publishEdit,
  type Side,
  saveDraft,
  throwDraftAway,
} from '#app/features/content/edit.server.ts';
import { fieldsToType } from '#app/features/content/form/fields.ts';
import { kindInAddress, wordsOf } from '#app/features/content/form/kinds.ts';
import { isListAct, typedOf, valueTyped, withListAct } from '#app/features/content/form/typed.ts';
import type { RecordKind } from '#app/features/content/records.ts';
import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Academy, Moment } from '#app/http/academy.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { type ActDone, blankStaffForm, common, type Refused, takeStaffAct } from '#app/routes/staff/act.server.ts';
import type { FormState, FormValues } from '#app/ui/form-state.ts';
import { type ExaminedView, examinedView, findStanding, type Place, type StandingView } from './editor.server.ts';
import { valueInWords } from './value-in-words.ts';

const zone = 'Australia/Brisbane';
export const kept = 'Nothing was saved, and what you typed is still below.';

/** A field that two people changed, with what each made of it. */
export type ConflictView = {
  name: string;
  label: string;
  mine: string;
  theirs: string;
  before: string;
};
export type BothChangedView = {
  fields: ConflictView[];
  by: StandingView['by'];
  number: number;
  before: number;
  state: string;
};

/** The form of a record after it was sent: taken, worked on without saving, or refused. */
export type RecordSent =
  | { ok: true; to: string }
  | { ok: false; status: number; form: FormState; both?: BothChangedView; examined?: ExaminedView };

export const recordSchema = z.looseObject({
  ...common,
  base: z.string().regex(/^\d{1,9}$/),
  onto: z.string().regex(/^\d{1,9}$/),
  note: z.string().max(500, 'Shorten the note to 500 characters.').default(''),
});

export type Sent = { form: FormData | null; actor: StaffActor };

/** Takes the form of a record: what was typed is saved, published or scheduled; or only its lists are put in order. */
export async function takeRecordForm(academy: Academy, place: Place, sent: Sent): Promise<RecordSent> {
  const { kind, id } = place;
  const typed = textsOf(sent.form);
  const act = typed.act ?? '';
  const worked = workedOn(typed, act);
  if (worked) return worked;
  let fields = fieldsToType(kind, true);
  let not: NotEdited | null = null;
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
          [`c.${open[0]}`]: 'Choose one of the three.',
        });
      }
      const done = await doAct(trx, { act, edit, typed, moment, actor: sent.actor });
      if ('reason' in done && done.reason === 'refused') return done;
      if (done.ok) return doneWith(kind, actions[act] ?? 'save-draft', done);
      not = done as NotEdited;
      return refusedWith(notEditedInWords(not, kind));
    },
  });
  if (result.ok) return { ok: true, to: recordAddress(place) };
  return { ...result, ...refusedView(result.form, not, fields, await namesOf(academy, not)) };
}

/** The form again, when a button only works on its lists; null for every other act. */
export function workedOn(typed: FormValues, act: string): RecordSent | null {
  if (!isListAct(act)) return null;
  const { form: token = '', act: _, ...values } = typed;
  return { ok: false, status: 200, form: { ...blankStaffForm(0, withListAct(values, act)), token } };
}

/** The page of a record. */
export const recordAddress = ({ kind, id }: Place): string =>
  href('/staff/content/:kind/:id', { kind: kindInAddress(kind), id: String(id) });

const actions: Record<string, string> = {
  save: 'save-draft',
  publish: 'publish-content',
  schedule: 'schedule-content',
  'call-off': 'call-off-content',
  discard: 'throw-draft-away',
};

type Doing = { act: string; edit: Edit; typed: FormValues; moment: Moment; actor: StaffActor };

async function doAct(trx: Trx, { act, edit, typed, moment, actor }: Doing): Promise<Edited | NotEdited | Refused> {
  const editor = { person: actor.person.id };
  const { now } = moment;
  demand(actor, 'content:change');
  if (act === 'save') return await saveDraft(trx, edit, { editor, now });
  if (act === 'discard') return await throwDraftAway(trx, edit);
  demand(actor, 'content:publish');
  if (act === 'publish') return await publishEdit(trx, edit, { editor, at: moment });
  if (act === 'call-off') return await saveDraft(trx, edit, { editor, now, publishAt: null });
  if (act !== 'schedule') return refusedWith('Choose what to do.');
  const publishAt = instantIn(typed);
  if (!publishAt) return refusedWith('The text was not scheduled.', { day: 'Enter a day and a time.' });
  if (publishAt <= now)
    return refusedWith('The text was not scheduled.', { day: 'Choose a time that is still ahead.' });
  return await saveDraft(trx, edit, { editor, now, publishAt });
}

/** Nothing was done, in a sentence. */
export const refusedWith = (fault: string, errors?: Record<string, string>): Refused => ({
  ok: false,
  reason: 'refused',
  fault,
  ...(errors && { errors }),
});

/** What the trace says of an act. */
export const doneWith = (kind: RecordKind, action: string, { number, before, after }: Edited): ActDone => ({
  ok: true,
  did: { action, details: { revision: number }, changes: contentChanges(kind, before, after) },
});

function instantIn({ day = '', time = '' }: FormValues): Date | null {
  if (!/^20\d\d-\d\d-\d\d$/.test(day) || !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return null;
  const instant = instantOf(day, time, zone);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

function editOf(
  id: number,
  fields: Parameters<typeof valueTyped>[0],
  typed: FormValues,
  data: { base: string; onto: string; note: string },
): Edit {
  const both = fieldsInConflict(typed);
  const sides = both.flatMap((field): [string, Side][] => {
    const side = typed[`c.${field}`];
    return side === 'mine' || side === 'theirs' || side === 'before' ? [[field, side]] : [];
  });
  return {
    id,
    base: Number(data.base),
    onto: Number(data.onto),
    typed: valueTyped(fields, typed),
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

const fieldsInConflict = (typed: FormValues): string[] =>
  (typed['c-fields'] ?? '').split(' ').filter((field) => /^[A-Za-z-]+$/.test(field));
const undecided = (typed: FormValues): string[] =>
  fieldsInConflict(typed).filter((field) => !['mine', 'theirs', 'before'].includes(typed[`c.${field}`] ?? ''));

export function notEditedInWords(not: NotEdited, kind: RecordKind): string {
  const { one } = wordsOf(kind);
  switch (not.reason) {
    case 'missing':
      return `This ${one} does not exist any more.`;
    case 'unchanged':
      return 'There is nothing to save: it is as it was.';
    case 'needed':
      return `The website needs this ${one}, so it cannot be retired.`;
    case 'taken':
      return `Another ${one} has, or had, the address or name "${not.key}". Choose another one.`;
    case 'both-changed':
      return 'Somebody else changed the same fields while you were typing. Choose what each is to say.';
    case 'faults':
      return 'It was not published: the check found faults.';
  }
}

/** What a refused form shows besides the sentence. */
function refusedView(
  form: FormState,
  not: NotEdited | null,
  fields: Parameters<typeof valueTyped>[0],
  names: (author: BothChanged['theirs']['author']) => string,
): Partial<Extract<RecordSent, { ok: false }>> {
  if (not?.reason === 'faults') {
    const examined = examinedView(fields, not.examined);
    const errors = Object.fromEntries(examined.faults.flatMap(({ name, message }) => (name ? [[name, message]] : [])));
    return { examined, form: { ...form, errors: { ...errors, ...form.errors } } };
  }
  if (not?.reason !== 'both-changed') return {};
  const { value, fields: changed, theirs, before, base, onto } = not;
  const others = Object.fromEntries(Object.entries(form.values).filter(([name]) => !/^[vnc][.-]/.test(name)));
  const shown = changed.map((name): ConflictView => {
    const field = fields.find((one) => one.name === name);
    const inWords = (from: unknown) => (field ? valueInWords(field, from) : String(from ?? ''));
    return {
      name,
      label: field?.label ?? name,
      mine: inWords(value[name]),
      theirs: inWords(theirs.value[name]),
      before: inWords(before?.value[name]),
    };
  });
  return {
    form: {
      ...form,
      values: { ...others, ...typedOf(fields, value), base: String(base), onto: String(onto) },
    },
    both: {
      fields: shown,
      by: names(theirs.author),
      number: theirs.number,
      before: before?.number ?? 0,
      state: theirs.state,
    },
  };
}

async function namesOf({ db }: Academy, not: NotEdited | null) {
  const author = not?.reason === 'both-changed' ? not.theirs.author : null;
  const person = author && typeof author === 'object' ? author.person : null;
  const row =
    person === null
      ? undefined
      : await db.selectFrom('people').select('name').where('id', '=', person).executeTakeFirst();
  return () => row?.name ?? (author === 'import' ? 'An import' : 'Somebody');
}
