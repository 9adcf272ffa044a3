import type { BothChanged, Standing } from '#app/features/content/drafts.server.ts';
import type { FormField } from '#app/features/content/form/field.ts';
import { fieldsToType } from '#app/features/content/form/fields.ts';
import { asMine, withMine } from '#app/features/content/form/form-acts.ts';
import { typedOf, valueTyped } from '#app/features/content/form/typed.ts';
import type { RecordValue, Revision } from '#app/features/content/records.ts';
import { readAuthorNames } from '#app/features/content/revisions.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import type { FormState, FormValues } from '#app/ui/form-state.ts';
import { type StandingView, standingView } from './editor.server.ts';
import { valueInWords } from './value-in-words.ts';

/** A field that two people changed, with both values. */
export type ConflictView = { name: string; label: string; mine: string; theirs: string; before: string };
export type BothChangedView = {
  fields: ConflictView[];
  by: StandingView['by'];
  number: number;
  before: number;
  state: string;
};

/** The fields that two people changed, as a form that is sent carries them. */
export const fieldsInConflict = (typed: FormValues): string[] =>
  (typed['c-fields'] ?? '').split(' ').filter((field) => /^[A-Za-z-]+$/.test(field));

type Merged = Pick<BothChanged, 'value' | 'base' | 'onto'> & { fields: readonly FormField[] };

/** A form with a merged value in place of what was typed, counted from the revisions that it was merged with. */
export function mergedForm(form: FormState, { value, base, onto, fields }: Merged): FormState {
  const others = Object.entries(form.values).filter(([name]) => !/^[vncmo][.-]/.test(name));
  const values = { ...Object.fromEntries(others), ...typedOf(fields, value), base: String(base), onto: String(onto) };
  return { ...form, values };
}

type Refused = { form: FormState; not: BothChanged; fields: readonly FormField[] };

/** The merged form, and the fields to decide on, each with the typed value kept as mine (P71). */
export async function bothView({ db }: Academy, { form, not, fields }: Refused) {
  const { value, fields: changed, theirs, before } = not;
  const merged = mergedForm(form, { ...not, fields });
  const mine = Object.assign({}, ...changed.map((name) => asMine(typedOf(fields, value), `v.${name}`)));
  return {
    form: { ...merged, values: { ...merged.values, ...mine } },
    both: await viewOf(db, { names: changed, fields, mine: value, theirs, before }),
  };
}

/** The same fields again, for a form that was refused for another reason: nothing is decided by leaving them out. */
export async function bothAgain(
  { db }: Academy,
  { record, revisions, current }: Standing,
  typed: FormValues,
): Promise<BothChangedView | undefined> {
  const names = fieldsInConflict(typed);
  const revision = (number: string | undefined) => revisions.find((one) => String(one.number) === number);
  const theirs = revision(typed['c-theirs']);
  if (names.length === 0 || !theirs) return undefined;
  const fields = fieldsToType(record.kind, current !== undefined);
  const mine = valueTyped(
    fields,
    names.reduce((all, name) => withMine(all, `v.${name}`), typed),
  );
  return await viewOf(db, { names, fields, mine, theirs, before: revision(typed['c-before']) });
}

type Sides = {
  names: readonly string[];
  fields: readonly FormField[];
  mine: RecordValue;
  theirs: Revision;
  before: Revision | undefined;
};

async function viewOf(db: Academy['db'], { names, fields, mine, theirs, before }: Sides): Promise<BothChangedView> {
  const { by, number, state } = standingView(theirs, await readAuthorNames(db, [theirs]));
  return {
    by: by === '' ? 'Somebody' : by,
    number,
    state,
    before: before?.number ?? 0,
    fields: names.map((name): ConflictView => {
      const field = fields.find((one) => one.name === name);
      const inWords = (from: unknown) => (field ? valueInWords(field, from) : String(from ?? ''));
      return {
        name,
        label: field?.label ?? name,
        mine: inWords(mine[name]),
        theirs: inWords(theirs.value[name]),
        before: inWords(before?.value[name]),
      };
    }),
  };
}
