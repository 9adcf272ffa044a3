import type { RecordKind } from '#app/features/content/records.ts';
import { iconNames } from '#app/ui/icons.ts';
import type { Field, Widget } from './field.ts';

type MakeField = (name: string, label: string, help?: string) => Field;

const withWidget =
  (widget: Widget): MakeField =>
  (name, label, help) => ({ name, label, ...(help && { help }), widget });

export const line = withWidget({ as: 'line' });
export const text = withWidget({ as: 'text' });
/** Several short texts, one a line. */
export const lines = withWidget({ as: 'lines' });
export const markdown = withWidget({ as: 'markdown' });
export const number = withWidget({ as: 'number' });
export const money = withWidget({ as: 'money' });
export const tick = withWidget({ as: 'tick' });
export const date = withWidget({ as: 'date' });
export const time = withWidget({ as: 'time' });

/** One of these words. */
export const choiceOf = (of: readonly string[], ...field: Parameters<MakeField>): Field =>
  withWidget({ as: 'choice', of })(...field);
/** Another record of a kind. */
export const referenceTo = (to: RecordKind, ...field: Parameters<MakeField>): Field =>
  withWidget({ as: 'reference', to })(...field);
/** Several records of a kind. */
export const referencesTo = (to: RecordKind, ...field: Parameters<MakeField>): Field =>
  withWidget({ as: 'references', to })(...field);

export const icon = choiceOf(iconNames, 'icon', 'Icon');

/** The address of a record that keeps it for good. */
export const fixedSlug: Field = {
  ...line('slug', 'Address', 'Lower-case words joined by hyphens. It stays as it is once published.'),
  fixed: 'once',
};
