import type { FormField, FormWidget } from '#app/features/content/form/field.ts';
import { titleOf } from '#app/features/content/form/kinds.ts';
import type { ContentRecord, RecordKind } from '#app/features/content/records.ts';

/** The records that a field can refer to: key and title, by kind. */
export type Choices = Partial<Record<RecordKind, [key: string, title: string][]>>;

/** The choices that the fields of a form need, of records that are published. */
export function choicesFor(fields: readonly FormField[], records: readonly ContentRecord[]): Choices {
  const choices: Choices = {};
  for (const kind of new Set(fields.flatMap(({ widget }) => kindsIn(widget)))) {
    choices[kind] = records
      .filter((record) => record.kind === kind)
      .map(({ key, value }): [string, string] => [key, titleOf(kind, value)])
      .sort(([, a], [, b]) => a.localeCompare(b, 'en-AU'));
  }
  return choices;
}

function kindsIn(widget: FormWidget): RecordKind[] {
  if (widget.as === 'reference' || widget.as === 'references') return [widget.to];
  if (widget.as === 'group' || widget.as === 'list') return widget.fields.flatMap((field) => kindsIn(field.widget));
  return [];
}
