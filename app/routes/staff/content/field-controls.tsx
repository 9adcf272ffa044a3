import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import type { FormField } from '#app/features/content/form/field.ts';
import type { Typed } from '#app/features/content/form/typed.ts';
import { field as fieldClass, select } from '#app/ui/field.ts';
import type { FieldErrors } from '#app/ui/form-state.ts';
import type { Choices } from './choices.server.ts';

type Shown = {
  typed: Typed;
  errors: FieldErrors;
  choices: Choices;
  /** The published text of the fields that the draft changes. */
  changed: Readonly<Record<string, string>>;
  /** The published values of fields that the draft changes, as form entries. */
  published: Typed;
  /** Performs the act of a button among the fields in the browser; without scripts the button sends the form. */
  onFormAct: (event: MouseEvent<HTMLButtonElement>) => void;
};

const ShownContext = createContext<Shown | null>(null);
export const ShownProvider = ShownContext.Provider;

/** The context of the fields of a form. */
export function useShown(): Shown {
  const shown = useContext(ShownContext);
  if (!shown) throw new Error('fields of content stand inside their form only');
  return shown;
}

/** The input control of a field. */
export function Control({ field: { widget, help, most }, name }: { field: FormField; name: string }) {
  const { typed, errors, choices } = useShown();
  const common = {
    id: name,
    name,
    defaultValue: typed[name] ?? '',
    // The button that was pressed asked for it.
    autoFocus: typed.focus === name,
    'aria-invalid': errors[name] ? true : undefined,
    'aria-describedby':
      [...(help ? [`${name}-help`] : []), ...(errors[name] ? [`${name}-fault`] : [])].join(' ') || undefined,
  };
  const wide = `${fieldClass} w-full`;
  switch (widget.as) {
    case 'text':
      return <textarea rows={(most ?? 0) > 500 ? 8 : 4} {...common} className={wide} />;
    case 'lines':
      return <textarea rows={6} {...common} className={wide} />;
    case 'markdown':
      return <textarea rows={18} {...common} className={`${wide} font-mono text-sm`} />;
    case 'number':
    case 'money':
    case 'place':
      return <input inputMode="decimal" {...common} className={`${wide} tabular`} />;
    case 'date':
      return <input type="date" {...common} className={wide} />;
    case 'time':
      return <input type="time" {...common} className={wide} />;
    case 'choice':
      return (
        <select {...common} className={`${select} w-full`}>
          <Options chosen={common.defaultValue} of={widget.of.map((one) => [one, one])} />
        </select>
      );
    case 'reference':
      return (
        <select {...common} className={`${select} w-full`}>
          <Options chosen={common.defaultValue} of={choices[widget.to] ?? []} />
        </select>
      );
    default:
      return <input {...common} className={wide} />;
  }
}

/** The options, with an empty one; a former choice stays although it is no longer offered. */
export function Options({ chosen, of }: { chosen: string; of: readonly (readonly [value: string, text: string])[] }) {
  const known = chosen === '' || of.some(([value]) => value === chosen);
  return (
    <>
      <option value="">Nothing chosen</option>
      {!known && <option value={chosen}>{chosen}, not published</option>}
      {of.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </>
  );
}

/** The fault of a field. */
export function Fault({ name }: { name: string }) {
  const message = useShown().errors[name];
  if (!message) return null;
  return (
    <p id={`${name}-fault`} className="mt-1 text-sm font-semibold text-fault">
      {sentence(message)}
    </p>
  );
}

/** The summary puts the field's name before a fault; beside the field the fault begins the sentence. */
const sentence = (message: string) =>
  /^(must|is|has|needs|lies)\b/.test(message) ? `This ${message}.` : message.replace(/([^.?!])$/, '$1.');

/** Several controls under one label. */
export function Fieldset({
  field: { label, help },
  name,
  children,
}: {
  field: FormField;
  name: string;
  children: ReactNode;
}) {
  return (
    <fieldset id={name} tabIndex={-1} className="min-w-0 border-t border-line pt-2">
      <legend className="pr-2 font-semibold">{label}</legend>
      {help && <p className="mb-2 text-sm text-mute">{help}</p>}
      {children}
      <Fault name={name} />
    </fieldset>
  );
}

type ActButtonProps = { act: string; about: string; text: string; disabled?: boolean };

/** A button that works on the fields and saves nothing. */
export function ActButton({ act, about, text, disabled = false }: ActButtonProps) {
  const { typed, onFormAct } = useShown();
  return (
    <button
      type="submit"
      name="act"
      value={act}
      disabled={disabled}
      // biome-ignore lint/a11y/noAutofocus: the person who pressed a button of the list goes on there
      autoFocus={typed.focus === act}
      onClick={onFormAct}
      className="min-h-8 px-2 text-sm font-semibold text-link hover:underline disabled:text-mute disabled:no-underline"
    >
      {text}
      {about && <span className="sr-only"> {about}</span>}
    </button>
  );
}
