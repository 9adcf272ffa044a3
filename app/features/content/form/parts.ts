import type { FormField } from './field.ts';

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
