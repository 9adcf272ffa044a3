import { createContext, type MouseEvent, useContext } from 'react';
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
  /** Works on a list without asking the server; without scripts the button sends the form. */
  onListAct: (event: MouseEvent<HTMLButtonElement>) => void;
};

const ShownContext = createContext<Shown | null>(null);
export const ShownProvider = ShownContext.Provider;

/** What the fields of a form show; they stand inside it only. */
export function useShown(): Shown {
  const shown = useContext(ShownContext);
  if (!shown) throw new Error('fields of content stand inside their form only');
  return shown;
}

/** What a field is typed into. */
export function Control({ field: { widget, help, most }, name }: { field: FormField; name: string }) {
  const { typed, errors, choices } = useShown();
  const common = {
    id: name,
    name,
    defaultValue: typed[name] ?? '',
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

/** What can be chosen, nothing included; what was chosen before stays although nobody offers it any more. */
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

/** What is wrong with a field. */
export function Fault({ name }: { name: string }) {
  const message = useShown().errors[name];
  if (!message) return null;
  return (
    <p id={`${name}-fault`} className="mt-1 text-sm font-semibold text-fault">
      {sentence(message)}
    </p>
  );
}

/** What follows the name of a field in the box above stands alone beside it. */
const sentence = (message: string) =>
  /^(must|is|has|needs|lies)\b/.test(message) ? `This ${message}.` : message.replace(/([^.?!])$/, '$1.');
