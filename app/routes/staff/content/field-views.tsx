import type { ReactNode } from 'react';
import type { FormField, FormWidget } from '#app/features/content/form/field.ts';
import { membersTyped, type Typed } from '#app/features/content/form/typed.ts';
import { formatDay } from '#app/lib/dates.ts';
import { field as fieldClass, select } from '#app/ui/field.ts';
import { Control, Fault, Options, useShown } from './field-controls.tsx';

/** The fields of a record in their order. */
export function FieldViews({ fields, prefix = 'v' }: { fields: readonly FormField[]; prefix?: string }) {
  return (
    <div className="grid items-start gap-x-4 gap-y-5 sm:grid-cols-6">
      {fields.map((field) => (
        <div key={field.name} className={`min-w-0 ${widths[field.widget.as] ?? 'sm:col-span-6'}`}>
          <Changed name={prefix === 'v' ? field.name : null}>
            <FieldView field={field} name={`${prefix}.${field.name}`} />
          </Changed>
        </div>
      ))}
    </div>
  );
}

const short = 'sm:col-span-2';
const widths: Partial<Record<FormWidget['as'], string>> = {
  line: 'sm:col-span-3',
  number: short,
  money: short,
  place: short,
  date: short,
  time: short,
  choice: 'sm:col-span-3',
  reference: 'sm:col-span-3',
};

/** A straw beside a field that the draft changes, with the published text below. */
function Changed({ name, children }: { name: string | null; children: ReactNode }) {
  const { changed } = useShown();
  const was = name === null ? undefined : changed[name];
  if (was === undefined) return children;
  return (
    <div className="-ml-3 border-l-3 border-straw pl-2.25">
      {children}
      <details className="mt-1 text-sm">
        <summary className="w-max cursor-pointer text-mute underline decoration-edge underline-offset-3 hover:text-link">
          Published text
        </summary>
        <p className="mt-1 max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere text-mute">
          {was === '' ? 'Nothing.' : was}
        </p>
      </details>
    </div>
  );
}

function FieldView({ field, name }: { field: FormField; name: string }) {
  const { widget } = field;
  switch (widget.as) {
    case 'group':
      return (
        <Fieldset field={field} name={name}>
          <FieldViews fields={widget.fields} prefix={name} />
        </Fieldset>
      );
    case 'list':
      return <ListView field={field} widget={widget} name={name} />;
    case 'references':
      return <ReferencesView field={field} to={widget.to} name={name} />;
    case 'choices':
      return <ChoicesView field={field} of={widget.of} name={name} />;
    case 'tick':
      return <TickView field={field} name={name} />;
    default:
      return <LabelledView field={field} name={name} />;
  }
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

/** A field with its label, what helps to fill it in, and what is wrong with it. */
function LabelledView({ field, name }: { field: FormField; name: string }) {
  const { typed } = useShown();
  const { label, help, optional, most, widget } = field;
  const counted = ['line', 'text', 'markdown'].includes(widget.as) && most !== undefined && most > 100;
  return (
    <>
      <div className="mb-1 flex flex-wrap items-baseline gap-x-2">
        <label htmlFor={name} className="font-semibold">
          {label}
        </label>
        <span className="text-sm text-mute">
          {[
            ...(optional ? ['optional'] : []),
            // A native field shows a day in the browser's own order.
            ...(widget.as === 'date' && isDay(typed[name]) ? [formatDay(typed[name])] : []),
            ...(counted ? [`${(typed[name] ?? '').length} of ${most} characters`] : []),
          ].join(', ')}
        </span>
      </div>
      <Control field={field} name={name} />
      {help && (
        <p id={`${name}-help`} className="mt-1 text-sm text-mute">
          {help}
        </p>
      )}
      <Fault name={name} />
    </>
  );
}

function Fieldset({ field: { label, help }, name, children }: { field: FormField; name: string; children: ReactNode }) {
  return (
    <fieldset id={name} tabIndex={-1} className="min-w-0 border-t border-line pt-2">
      <legend className="pr-2 font-semibold">{label}</legend>
      {help && <p className="mb-2 text-sm text-mute">{help}</p>}
      {children}
      <Fault name={name} />
    </fieldset>
  );
}

function TickView({ field: { label, help }, name }: { field: FormField; name: string }) {
  const { typed } = useShown();
  return (
    <>
      <label className="flex min-h-8 items-center gap-2 font-semibold">
        <input id={name} type="checkbox" name={name} defaultChecked={typed[name] === 'on'} />
        {label}
      </label>
      {help && <p className="text-sm text-mute">{help}</p>}
      <Fault name={name} />
    </>
  );
}

function ChoicesView({ field, of, name }: { field: FormField; of: readonly string[]; name: string }) {
  const { typed } = useShown();
  return (
    <Fieldset field={field} name={name}>
      <div className="flex flex-wrap gap-x-5">
        {of.map((one) => (
          <label key={one} className="flex min-h-8 items-center gap-2">
            <input type="checkbox" name={`${name}.${one}`} defaultChecked={typed[`${name}.${one}`] === 'on'} />
            {one}
          </label>
        ))}
      </div>
    </Fieldset>
  );
}

type To = Extract<FormWidget, { as: 'references' }>['to'];
/** Empty rows to fill in, where there is no highest number of them. */
const spare = 2;

function ReferencesView({ field, to, name }: { field: FormField; to: To; name: string }) {
  const { typed, choices, errors } = useShown();
  const filled = Object.keys(typed).filter((key) => key.startsWith(`${name}.`) && typed[key] !== '');
  const numbers = filled.map((key) => Number(key.slice(name.length + 1)));
  const rows = field.most ?? Math.max(-1, ...numbers) + 1 + spare;
  return (
    <Fieldset field={field} name={name}>
      <div className="grid gap-1.5 sm:grid-cols-2">
        {Array.from({ length: rows }, (_, at) => `${name}.${at}`).map((one, at) => (
          <div key={one}>
            <select
              id={one}
              name={one}
              aria-label={`${field.label} ${at + 1}`}
              defaultValue={typed[one] ?? ''}
              aria-invalid={errors[one] ? true : undefined}
              className={`${select} w-full`}
            >
              <Options chosen={typed[one] ?? ''} of={choices[to] ?? []} />
            </select>
            <Fault name={one} />
          </div>
        ))}
      </div>
    </Fieldset>
  );
}

type ListWidget = Extract<FormWidget, { as: 'list' }>;

/** Members of a list: order by number, or up and down; a member is opened to be changed. */
function ListView({ field, widget, name }: { field: FormField; widget: ListWidget; name: string }) {
  const { typed, errors } = useShown();
  const members = membersTyped(typed, name);
  return (
    <Fieldset field={field} name={name}>
      <p className="mb-1 text-sm text-mute">{members.length} of them. Change the order by number, or up and down.</p>
      <ol className="border-t border-rule">
        {members.map((at, index) => {
          const member = `${name}.${at}`;
          const heading = headingOf(widget, typed, member) || `New ${widget.item}`;
          const faulty = Object.keys(errors).some((key) => key.startsWith(`${member}.`));
          return (
            <li key={member} className="border-b border-line py-1.5">
              <div className="flex items-start gap-3">
                <input
                  name={`n.${member.slice('v.'.length)}`}
                  aria-label={`Number of ${heading}`}
                  defaultValue={index + 1}
                  inputMode="numeric"
                  className={`${fieldClass} tabular w-14 text-center`}
                />
                <details open={faulty || heading.startsWith('New ')} className="group min-w-0 flex-1">
                  <summary className="flex min-h-8 cursor-pointer items-center font-medium wrap-anywhere">
                    {heading}
                  </summary>
                  <div className="py-2">
                    <FieldViews fields={widget.fields} prefix={member} />
                  </div>
                </details>
                <div className="flex">
                  <ListButton act={`up:${member}`} about={heading} disabled={index === 0} text="Up" />
                  <ListButton
                    act={`down:${member}`}
                    about={heading}
                    disabled={index === members.length - 1}
                    text="Down"
                  />
                  <ListButton act={`remove:${member}`} about={heading} text="Remove" />
                </div>
              </div>
            </li>
          );
        })}
      </ol>
      <div className="mt-1.5">
        <ListButton act={`add:${name}`} about="" text={`Add a ${widget.item}`} />
      </div>
    </Fieldset>
  );
}

/** The first text of a member. */
function headingOf(widget: ListWidget, typed: Typed, member: string): string {
  const [first] = widget.fields;
  return first ? (typed[`${member}.${first.name}`] ?? '') : '';
}

type ListButtonProps = { act: string; about: string; text: string; disabled?: boolean };

function ListButton({ act, about, text, disabled = false }: ListButtonProps) {
  const { onListAct } = useShown();
  return (
    <button
      type="submit"
      name="act"
      value={act}
      disabled={disabled}
      onClick={onListAct}
      className="min-h-8 px-2 text-sm font-semibold text-link hover:underline disabled:text-mute disabled:no-underline"
    >
      {text}
      {about && <span className="sr-only"> {about}</span>}
    </button>
  );
}
