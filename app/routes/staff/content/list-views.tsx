import type { ReactNode } from 'react';
import type { FormField, FormWidget } from '#app/features/content/form/field.ts';
import { orderName, orderOf, type Typed } from '#app/features/content/form/typed.ts';
import { field as fieldClass } from '#app/ui/field.ts';
import { ActButton, Fault, Fieldset, useShown } from './field-controls.tsx';

type ListWidget = Extract<FormWidget, { as: 'list' }>;
type Props = { field: FormField; widget: ListWidget; name: string; children: (member: string) => ReactNode };

/** Members of a list: order by number, or up and down; a member is opened to be changed. */
export function ListView({ field, widget, name, children }: Props) {
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
export function TextsView({ field, item, name }: { field: FormField; item: string; name: string }) {
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
