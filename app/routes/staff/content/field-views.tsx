import type { ReactNode } from 'react';
import { type FormField, type FormWidget, partId, partsOf } from '#app/features/content/form/field.ts';
import { sayTheSame } from '#app/features/content/form/form-acts.ts';
import { orderName, orderOf, type Typed } from '#app/features/content/form/typed.ts';
import { formatDay } from '#app/lib/dates.ts';
import { field as fieldClass, select } from '#app/ui/field.ts';
import { ActButton, Control, Fault, Fieldset, Options, useShown } from './field-controls.tsx';

type ListWidget = Extract<FormWidget, { as: 'list' }>;
type ListViewsProps = { field: FormField; widget: ListWidget; name: string; children: (member: string) => ReactNode };

/** Members of a list: order by number, or up and down; a member is opened to be changed. */
function ListView({ field, widget, name, children }: ListViewsProps) {
  const { typed, errors, choices } = useShown();
  const members = orderOf(typed, name);
  return (
    <Fieldset field={field} name={name}>
      <p className="mb-1 text-sm text-mute">{members.length} of them. Change the order by number, or up and down.</p>
      <ol className="border-t border-rule">
        {members.map((at, index) => {
          const member = `${name}.${at}`;
          const heading = headingOf(widget, typed, member, choices) || `New ${widget.item}`;
          const isInside = (key: string) => key.startsWith(`${member}.`);
          const isOpen =
            typed[member.replace(/^v/, 'o')] === 'on' ||
            Object.keys(errors).some(isInside) ||
            isInside(/[^:]*$/.exec(typed.focus ?? '')?.[0] ?? '') ||
            heading.startsWith('New ');
          return (
            <li key={member} className="border-b border-line py-1.5">
              <div className="flex flex-wrap items-start gap-x-3 sm:flex-nowrap">
                <input
                  name={orderName(member)}
                  aria-label={`Number of ${heading}`}
                  defaultValue={index + 1}
                  inputMode="numeric"
                  className={`${fieldClass} tabular w-12 text-center`}
                />
                <details
                  open={isOpen}
                  data-open={member.replace(/^v/, 'o')}
                  className="group min-w-0 flex-1 open:max-sm:order-last open:max-sm:basis-full"
                >
                  <summary className="flex min-h-9 cursor-pointer items-center font-medium underline decoration-edge underline-offset-3 wrap-anywhere hover:text-link">
                    {heading}
                  </summary>
                  <div className="py-2">{children(member)}</div>
                </details>
                <Movers member={member} about={heading} index={index} last={members.length - 1} />
              </div>
            </li>
          );
        })}
      </ol>
      <div className="mt-1.5">
        <ActButton act={`add:${name}`} about="" text={`Add a ${widget.item}`} />
      </div>
    </Fieldset>
  );
}

type MoversProps = { member: string; about: string; index: number; last: number };

function Movers({ member, about, index, last }: MoversProps) {
  return (
    <div className="ml-auto flex shrink-0">
      <ActButton act={`up:${member}`} about={about} disabled={index === 0} text="Up" />
      <ActButton act={`down:${member}`} about={about} disabled={index === last} text="Down" />
      <ActButton act={`remove:${member}`} about={about} text="Remove" />
    </div>
  );
}

/** The first text of a member, or the title of the record that it refers to. */
function headingOf(widget: ListWidget, typed: Typed, member: string, choices: ReturnType<typeof useShown>['choices']) {
  const [first] = widget.fields;
  const text = (first && typed[`${member}.${first.name}`]) ?? '';
  if (first?.widget.as !== 'reference') return text;
  return choices[first.widget.to]?.find(([key]) => key === text)?.[1] ?? text;
}

/** Short texts, each in a field of its own that grows with it. */
function TextsView({ field, item, name }: { field: FormField; item: string; name: string }) {
  const { typed, errors } = useShown();
  const members = orderOf(typed, name);
  return (
    <Fieldset field={field} name={name}>
      <ol className="grid gap-1">
        {members.map((at, index) => {
          const member = `${name}.${at}`;
          const own = `${member}.text`;
          const text = typed[own] ?? '';
          const label = `${field.label} ${index + 1}`;
          return (
            <li key={member}>
              <input type="hidden" name={orderName(member)} value={index + 1} />
              <div className="flex flex-wrap items-start gap-x-3 sm:flex-nowrap">
                <textarea
                  id={own}
                  name={own}
                  aria-label={label}
                  rows={Math.max(1, Math.ceil(text.length / 60))}
                  defaultValue={text}
                  // biome-ignore lint/a11y/noAutofocus: the person who pressed a button of the list goes on there
                  autoFocus={typed.focus === own}
                  aria-invalid={errors[own] ? true : undefined}
                  aria-describedby={errors[own] ? `${own}-fault` : undefined}
                  className={`${fieldClass} field-sizing-content min-w-0 flex-1 max-sm:basis-full`}
                />
                <Movers member={member} about={text || label} index={index} last={members.length - 1} />
              </div>
              <Fault name={own} />
            </li>
          );
        })}
      </ol>
      <div className="mt-1">
        <ActButton act={`add:${name}`} about="" text={`Add a ${item}`} />
      </div>
    </Fieldset>
  );
}

type FieldViewsProps = {
  fields: readonly FormField[];
  prefix?: string;
  /** Fields that are elsewhere on the page. */
  except?: ReadonlySet<string>;
};

/** The fields of a record in their order, in the parts of its form if it has some. */
export function FieldViews({ fields, prefix = 'v', except = new Set() }: FieldViewsProps) {
  return partsOf(fields).map(({ title, fields: inside }) => {
    const shown = inside.filter(({ name }) => !except.has(name));
    const grid = (
      <div key={title} className="grid gap-x-4 gap-y-2.5 sm:grid-cols-6">
        {shown.map((field) => (
          <Cell key={field.name} own={prefix === 'v' ? field.name : null} field={field} prefix={prefix} />
        ))}
      </div>
    );
    if (title === '' || shown.length === 0) return grid;
    return (
      <section
        key={title}
        aria-labelledby={partId(title)}
        className="grid gap-4 border-t border-rule pt-4 first:border-t-0 first:pt-0"
      >
        <h2 id={partId(title)} className="scroll-mt-14 text-lg">
          {title}
        </h2>
        {grid}
      </section>
    );
  });
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

type CellProps = {
  field: FormField;
  prefix: string;
  /** Its name where the draft may change it on its own. */
  own: string | null;
};

/**
 * A field in two rows that its neighbours share: the field, in line with theirs although only some have hints, and below
 * it what is published, where the draft changes it; then a straw is beside both.
 */
function Cell({ field, prefix, own }: CellProps) {
  const { changed } = useShown();
  const was = own === null ? undefined : changed[own];
  const straw = was === undefined ? '' : '-ml-3 border-l-3 border-straw pl-2.25';
  return (
    <div
      className={`row-span-2 grid min-w-0 grid-rows-subgrid gap-y-0 ${widths[field.widget.as] ?? 'sm:col-span-6'} ${straw}`}
    >
      <div className="min-w-0 self-end">
        <FieldView field={field} name={`${prefix}.${field.name}`} />
      </div>
      {was !== undefined && <PublishedText name={own ?? ''} was={was} label={field.label} />}
    </div>
  );
}

/** The published text of a field that the draft changes, and a button that goes back to it. */
function PublishedText({ name, was, label }: { name: string; was: string; label: string }) {
  const { typed, published } = useShown();
  const isBack = sayTheSame(typed, published, `v.${name}`);
  return (
    <div className="mt-1 flex flex-wrap items-start justify-between gap-x-4 text-sm">
      <details className="min-w-0 py-1.5">
        <summary className="w-max cursor-pointer text-mute underline decoration-edge underline-offset-3 hover:text-link">
          Published text
        </summary>
        <p className="mt-1 max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere text-mute">
          {was === '' ? 'Nothing.' : was}
        </p>
      </details>
      <span className="flex items-center">
        {isBack && <span className="text-mute">As published. Save the draft to keep it so.</span>}
        <ActButton act={`back:v.${name}`} about={`to the published text: ${label}`} text="Take back" />
      </span>
    </div>
  );
}

export function FieldView({ field, name }: { field: FormField; name: string }) {
  const { widget } = field;
  switch (widget.as) {
    case 'group':
      return (
        <Fieldset field={field} name={name}>
          <FieldViews fields={widget.fields} prefix={name} />
        </Fieldset>
      );
    case 'list':
      return (
        <ListView field={field} widget={widget} name={name}>
          {(member) => <FieldViews fields={widget.fields} prefix={member} />}
        </ListView>
      );
    case 'texts':
      return <TextsView field={field} item={widget.item} name={name} />;
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

/** A field with its label, hint and fault. */
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
            ...(optional ? ['(optional)'] : []),
            // A native field shows a day in the browser's own order.
            ...(widget.as === 'date' && isDay(typed[name]) ? [formatDay(typed[name])] : []),
            ...(counted ? [`${(typed[name] ?? '').length} of ${most} characters`] : []),
          ].join(', ')}
        </span>
      </div>
      {help && (
        <p id={`${name}-help`} className="mb-1 text-sm text-mute">
          {help}
        </p>
      )}
      <Control field={field} name={name} />
      <Fault name={name} />
    </>
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
