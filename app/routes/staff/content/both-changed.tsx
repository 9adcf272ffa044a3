import { type FormEvent, useId } from 'react';
import type { FormField } from '#app/features/content/form/field.ts';
import type { BothChangedView, ConflictView } from './both-changed.server.ts';
import { Fault, useShown } from './field-controls.tsx';
import { FieldView } from './field-views.tsx';

type Props = { both: BothChangedView; fields: readonly FormField[] };

/** For each field that two people changed: mine, theirs, and what it was; one is chosen, or the field written anew (P71). */
export function BothChanged({ both: { fields: changed, by, number, before, state }, fields }: Props) {
  const { typed } = useShown();
  const did = state === 'draft' || state === 'scheduled' ? 'kept' : 'published';
  return (
    <section aria-labelledby="both-changed" className="grid gap-4 border-l-3 border-fault pl-4">
      <h2 id="both-changed" className="text-lg">
        {by} {did} revision {number} while you were typing
      </h2>
      <p>
        Everything else was merged. {changed.length === 1 ? '1 field needs' : `${changed.length} fields need`} you:
        choose what {changed.length === 1 ? 'it is' : 'each is'} to say.
      </p>
      <input type="hidden" name="c-fields" value={changed.map(({ name }) => name).join(' ')} />
      <input type="hidden" name="c-theirs" value={number} />
      <input type="hidden" name="c-before" value={before} />
      {Object.entries(typed)
        .filter(([name]) => name.startsWith('m.'))
        .map(([name, text]) => (
          <input key={name} type="hidden" name={name} value={text} />
        ))}
      {changed.map((one) => (
        <Conflict key={one.name} {...one} by={by} field={fields.find(({ name }) => name === one.name)} />
      ))}
    </section>
  );
}

type ConflictProps = ConflictView & { by: string; field: FormField | undefined };

function Conflict({ name, label, mine, theirs, before, by, field }: ConflictProps) {
  const { typed } = useShown();
  const choice = `c.${name}`;
  const id = useId();
  const sides = [
    ['mine', 'Mine', mine],
    ['theirs', by, theirs],
    ['before', 'Before', before],
  ] as const;
  function chooseAnew(event: FormEvent<HTMLElement>): void {
    const anew = event.currentTarget.querySelector<HTMLInputElement>('input[value=anew]');
    const target = event.target as HTMLInputElement;
    if (anew && target.name !== choice) anew.checked = true;
  }
  return (
    <fieldset id={choice} tabIndex={-1} className="min-w-0" onInput={chooseAnew}>
      <legend className="mb-1 font-semibold">{label}</legend>
      {sides.map(([side, who, text]) => (
        <label
          key={side}
          htmlFor={`${id}${side}`}
          className="flex gap-3 border-t border-line py-2 has-[:checked]:bg-tint"
        >
          <input
            id={`${id}${side}`}
            type="radio"
            name={choice}
            value={side}
            defaultChecked={typed[choice] === side}
            className="mt-0.5 shrink-0"
          />
          <span className="w-24 shrink-0 font-semibold wrap-anywhere">{who}</span>
          <span className="max-h-40 min-w-0 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            {text === '' ? <i className="text-mute">Nothing</i> : text}
          </span>
        </label>
      ))}
      {field && (
        <div className="border-t border-line py-2 has-[[value=anew]:checked]:bg-tint">
          <label htmlFor={`${id}anew`} className="mb-2 flex gap-3 font-semibold">
            <input
              id={`${id}anew`}
              type="radio"
              name={choice}
              value="anew"
              defaultChecked={typed[choice] === 'anew'}
              className="mt-0.5 shrink-0"
            />
            Write it anew, from mine
          </label>
          <FieldView field={field} name={`v.${name}`} />
        </div>
      )}
      <Fault name={choice} />
    </fieldset>
  );
}
