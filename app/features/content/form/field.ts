import type { RecordKind } from '#app/features/content/records.ts';
import type { Permission } from '#app/lib/permission-names.ts';

/** How a field is typed. */
export type Widget =
  /** One line of text. */
  | { as: 'line' }
  /** A paragraph: line breaks in it become spaces. */
  | { as: 'text' }
  | { as: 'markdown' }
  | { as: 'number' }
  /** Australian dollars with cents. */
  | { as: 'money' }
  | { as: 'tick' }
  | { as: 'choice'; of: readonly string[] }
  /** One of several that may be ticked. */
  | { as: 'choices'; of: readonly string[] }
  /** The slug or name of another record. */
  | { as: 'reference'; to: RecordKind }
  | { as: 'references'; to: RecordKind }
  | { as: 'date' }
  /** A time of day, as the clock on the wall shows it. */
  | { as: 'time' }
  /** Several short texts, one a line. */
  | { as: 'lines' }
  /** The place of the record in its list, shown from 1 and stored from 0. */
  | { as: 'place' }
  /** Several short texts, each with a field of its own. */
  | { as: 'texts' /** What one of them is called. */; item: string }
  | { as: 'group'; fields: readonly Field[] }
  | { as: 'list' /** What one member is called. */; item: string; fields: readonly Field[] };

/** A field of the form. The schema has its rules (P74). */
export type Field = {
  name: string;
  label: string;
  help?: string;
  /** The part of a long form that begins with this field, by its name in the list of parts. */
  part?: string;
  widget: Widget;
  /**
   * Never typed: `always`, because the program keeps it; `once`, because only a record that was never published can be
   * given it here.
   */
  fixed?: 'always' | 'once';
  /** The permission that publishing another value needs, beside that for content. */
  needs?: Permission;
};

/** A field with the facts of its schema. */
export type FormField = Omit<Field, 'widget'> & {
  optional: boolean;
  /** Most characters of a text, or most members of a list. */
  most?: number;
  widget: FormWidget;
};
export type FormWidget =
  | Exclude<Widget, { as: 'group' | 'list' }>
  | { as: 'group'; fields: readonly FormField[] }
  | { as: 'list'; item: string; fields: readonly FormField[] };

type Part = { title: string; fields: FormField[] };

/** The fields of a form by its parts; all in one without a title where the form has none. */
export function partsOf(fields: readonly FormField[]): Part[] {
  const parts: Part[] = [];
  for (const field of fields) {
    const last = parts.at(-1);
    if (last && field.part === undefined) last.fields.push(field);
    else parts.push({ title: field.part ?? '', fields: [field] });
  }
  return parts;
}

/** The fragment of a part, such as `before-and-after`. */
export const partId = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** How many of the controls with a fault, such as `v.curriculum.0.module`, a part has. */
export const faultsIn = ({ fields }: Part, faulty: readonly string[]): number =>
  faulty.filter((name) => fields.some((field) => field.name === name.split('.')[1])).length;

/** A message as it follows a label and a colon, one or several: `Tracks: missing`. */
export const afterLabel = (message: string): string => message.replace(/^(is|are) /, '');
