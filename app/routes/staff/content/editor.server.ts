import { data } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { byWhom } from '#app/features/catalogue/site/content-list.server.ts';
import type { RecordFault } from '#app/features/content/check-record.ts';
import { newestOf, publishedBaseOf, readStanding, type Standing } from '#app/features/content/drafts.server.ts';
import { type Examined, examine } from '#app/features/content/examine.server.ts';
import type { FormField, FormWidget } from '#app/features/content/form/field.ts';
import { fieldsOf, fieldsToType } from '#app/features/content/form/fields.ts';
import { kindOfAddress, titleOf } from '#app/features/content/form/kinds.ts';
import { type Typed, typedOf } from '#app/features/content/form/typed.ts';
import { type At, readAround } from '#app/features/content/publish.server.ts';
import { fieldsChanged, type RecordKind, type RecordValue, type Revision } from '#app/features/content/records.ts';
import { readAuthorNames } from '#app/features/content/revisions.server.ts';
import { messageToStaff } from '#app/features/content/words.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { blankStaffForm } from '#app/features/people/staff-act.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { formatDay } from '#app/lib/dates.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { formatTime, wallClockAt } from '#app/lib/wall-clock.ts';
import { choicesFor } from './choices.server.ts';
import { publicPagesOf } from './public-pages.ts';
import { valueInWords } from './value-in-words.ts';

/** The record that an address names, whether or not there is one. */
export type Place = { kind: RecordKind; id: number };

/** Throws the answer 404 for an address that can name none. */
export function placeAt(params: { kind: string; id: string }): Place {
  const kind = kindOfAddress(params.kind);
  if (!kind || !/^\d{1,15}$/.test(params.id)) throw nothingHere();
  return { kind, id: Number(params.id) };
}

/** The record of a place; null for none. */
export async function findStanding(db: Db, { kind, id }: Place): Promise<Standing | null> {
  const standing = await readStanding(db, id);
  return standing?.record.kind === kind ? standing : null;
}

/** The record of an address; throws the answer 404 for none. */
export async function standingAt(db: Db, actor: StaffActor, params: { kind: string; id: string }): Promise<Standing> {
  requirePermission(actor, 'content:read');
  const standing = await findStanding(db, placeAt(params));
  if (!standing) throw nothingHere();
  return standing;
}

const nothingHere = () => data('There is no such content.', { status: 404 });

/** The initial values of the form of a record. */
function formOf(standing: Standing) {
  const { record, current } = standing;
  const newest = newestOf(standing);
  const fields = fieldsToType(record.kind, current !== undefined);
  const typed: Typed = typedOf(fields, newest?.value ?? {});
  const retired = current?.state === 'retired' ? current.number : 0;
  const base = {
    base: String(newest?.number ?? 0),
    onto: String(publishedBaseOf(newest)),
    retired: String(retired),
  };
  return { fields, form: blankStaffForm(0, { ...typed, ...base, note: '', ...scheduleOf(standing.draft) }) };
}

/** The day and time in the fields of the schedule; 9 am where nothing is scheduled. */
function scheduleOf(draft: Revision | undefined) {
  if (!draft?.publishAt) return { day: '', time: '09:00' };
  return wallClockAt(academyZone, draft.publishAt);
}

/** Everything that the page of a record shows. */
export async function readEditor(db: Db, actor: StaffActor, standing: Standing, at: At) {
  requirePermission(actor, 'content:read');
  const { record, current, draft, revisions } = standing;
  const kind = record.kind as RecordKind;
  const around = await readAround(db, record);
  const { fields, form } = formOf(standing);
  const newest = newestOf(standing);
  const value = newest?.value ?? {};
  const examined = current?.state === 'retired' && !draft ? null : await examine(db, around, value, at);
  const names = await readAuthorNames(
    db,
    [current, draft].filter((one) => one !== undefined),
  );
  return {
    title: titleOf(kind, value),
    fields,
    form,
    choices: choicesFor(fields, around.published),
    examined: examined && examinedView(kind, fields, examined),
    ...(draft && current ? changedFields(fields, current.value, draft.value) : { changed: {}, published: {} }),
    current: current && standingView(current, names),
    draft: draft && { ...standingView(draft, names), outdated: (draft.base ?? 0) !== (current?.number ?? 0) },
    goesOut: draft?.publishAt ? goesOut(draft.publishAt) : null,
    revisions: revisions.length,
    pages: publicPagesOf(kind, value, around.published),
  };
}

/** The published value of each field that a draft changes: in words, and as form entries. */
function changedFields(fields: readonly FormField[], before: RecordValue, after: RecordValue) {
  const differ = new Set(fieldsChanged(before, after));
  const changed = fields.filter(({ name }) => differ.has(name));
  return {
    changed: Object.fromEntries(changed.map((field) => [field.name, valueInWords(field, before[field.name])])),
    published: typedOf(changed, before),
  };
}

export type StandingView = { number: number; state: Revision['state']; at: string; by: string; note: string | null };

export function standingView(
  { number, state, at, author, note }: Revision,
  names: ReadonlyMap<number, string>,
): StandingView {
  const by = typeof author === 'object' ? (names.get(author.person) ?? '') : byWhom(author);
  return { number, state, at: formatMoment(at), by, note };
}

/** An instant in the local times of Brisbane and Sydney. */
function goesOut(instant: Date) {
  const at = (zone: string) => wallClockAt(zone, instant);
  const [brisbane, sydney] = [at('Australia/Brisbane'), at('Australia/Sydney')];
  return {
    day: brisbane.day,
    time: formatTime(brisbane.time),
    sydney:
      sydney.time === brisbane.time
        ? null
        : `${formatTime(sydney.time)} in Sydney${sydney.day === brisbane.day ? '' : `, on ${formatDay(sydney.day)}`}`,
  };
}

/** A fault with the field of the form that it is about; null where no field shows it. */
export type FaultView = { name: string | null; label: string; message: string };
export type ExaminedView = { faults: FaultView[]; elsewhere: string[]; shortcomings: FaultView[] };

/** The result of the check in the order of the form's fields, with its labels. */
export function examinedView(
  kind: RecordKind,
  fields: readonly FormField[],
  { faults, elsewhere, shortcomings }: Examined,
): ExaminedView {
  const all = fieldsOf(kind);
  const placeOf = ({ path }: RecordFault) => all.findIndex(({ name }) => name === path[0]);
  const views = (list: readonly RecordFault[]) =>
    list
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((fault) => ({ ...faultView(fields, all, fault), message: messageToStaff(kind, fault.message) }));
  return { faults: views(faults), elsewhere, shortcomings: views(shortcomings) };
}

/** Follows the path of a fault through the fields of a form; a field outside of the form has its label only. */
function faultView(
  fields: readonly FormField[],
  all: readonly FormField[],
  { path }: RecordFault,
): Omit<FaultView, 'message'> {
  let inside: readonly FormField[] = fields;
  let [name, label] = ['v', ''];
  let widget: FormWidget | null = null;
  for (const part of path) {
    if (typeof part === 'number') {
      label = `${label} ${part + 1}`;
      if (widget?.as === 'list') inside = widget.fields;
      if (widget?.as === 'list' || widget?.as === 'references') name = `${name}.${part}`;
      if (widget?.as === 'texts') name = `${name}.${part}.text`;
      continue;
    }
    const field: FormField | undefined = inside.find((one) => one.name === part);
    if (!field) {
      if (label === '') label = all.find((one) => one.name === part)?.label ?? '';
      break;
    }
    name = `${name}.${field.name}`;
    label = label === '' ? field.label : `${label}, ${field.label.toLowerCase()}`;
    widget = field.widget;
    inside = widget.as === 'group' ? widget.fields : [];
  }
  return { name: widget ? name : null, label };
}

/** The names of the people who wrote revisions, by their ids. */
export async function readAuthors(db: Db, actor: StaffActor, revisions: readonly Revision[]) {
  requirePermission(actor, 'content:read');
  return readAuthorNames(db, revisions);
}

/** The form of a new record. */
export async function readBlank(db: Db, actor: StaffActor, kind: RecordKind) {
  requirePermission(actor, 'content:change');
  const fields = fieldsToType(kind, false);
  const around = await readAround(db, { id: 0, kind, key: '' });
  const form = blankStaffForm(0, { base: '0', onto: '0', retired: '0', note: '' });
  return { fields, form, choices: choicesFor(fields, around.published) };
}
