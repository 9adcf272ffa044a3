import type { FormField, FormWidget } from '#app/features/content/form/field.ts';
import { formatDay } from '#app/lib/dates.ts';

/** A value of a field as staff read it, a line for each of its parts. */
export function valueInWords({ widget }: Pick<FormField, 'widget'>, value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  return inWords(widget, value);
}

function inWords(widget: FormWidget, value: unknown): string {
  switch (widget.as) {
    case 'money':
      return typeof value === 'number' ? `AU$${value.toFixed(2)}` : String(value);
    case 'tick':
      return value === true ? 'Yes' : 'No';
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(String(value)) ? formatDay(String(value)) : String(value);
    case 'place':
      return typeof value === 'number' ? String(value + 1) : String(value);
    case 'lines':
    case 'texts':
    case 'references':
    case 'choices':
      return (Array.isArray(value) ? value : [value]).map(String).join('\n');
    case 'group':
      return linesOf(widget.fields, value);
    case 'list':
      return (Array.isArray(value) ? value : []).map((member) => linesOf(widget.fields, member)).join('\n\n');
    default:
      return String(value);
  }
}

function linesOf(fields: readonly FormField[], value: unknown): string {
  const inner = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return fields
    .flatMap((field) => {
      const text = valueInWords(field, inner[field.name]);
      return text === '' ? [] : [text.includes('\n') ? `${field.label}:\n${text}` : `${field.label}: ${text}`];
    })
    .join('\n');
}
