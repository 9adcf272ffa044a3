/** Converts a record to form entries and back. Used in the browser too. */
import type { RecordValue } from '#app/features/content/records.ts';
import type { FormField, FormWidget } from './field.ts';

/**
 * The typed values, by the names of their fields: `v.title`, `v.curriculum.0.module`, `v.curriculum.0.topics.0.text`;
 * `n.curriculum.0` is the order number. In a browser, `o.curriculum.0` says that the member is open.
 */
export type Typed = Record<string, string>;

/**
 * A record as its form shows it. A value that does not fit its field, such as "ten" hours of a draft, is shown as it
 * is.
 */
export function typedOf(fields: readonly FormField[], value: RecordValue): Typed {
  const typed: Typed = {};
  for (const field of fields) typeInto(typed, `v.${field.name}`, field.widget, value[field.name]);
  return typed;
}

function typeInto(typed: Typed, name: string, widget: FormWidget, value: unknown): void {
  if (widget.as === 'group') {
    const inner = isRecord(value) ? value : {};
    for (const field of widget.fields) typeInto(typed, `${name}.${field.name}`, field.widget, inner[field.name]);
  } else if (widget.as === 'list') {
    membersOf(value).forEach((member, at) => {
      typed[orderName(`${name}.${at}`)] = String(at + 1);
      const inner = isRecord(member) ? member : {};
      for (const field of widget.fields)
        typeInto(typed, `${name}.${at}.${field.name}`, field.widget, inner[field.name]);
    });
  } else if (widget.as === 'texts') {
    membersOf(value).forEach((member, at) => {
      typed[orderName(`${name}.${at}`)] = String(at + 1);
      typed[`${name}.${at}.text`] = textOf(member);
    });
  } else if (widget.as === 'references') {
    membersOf(value).forEach((member, at) => {
      typed[`${name}.${at}`] = textOf(member);
    });
  } else if (widget.as === 'choices') {
    for (const member of membersOf(value)) typed[`${name}.${textOf(member)}`] = 'on';
  } else if (widget.as === 'tick') {
    if (value === true) typed[name] = 'on';
  } else if (value !== undefined && value !== null) typed[name] = shown(widget, value);
}

function shown({ as }: FormWidget, value: unknown): string {
  if (as === 'lines') return membersOf(value).map(textOf).join('\n');
  if (as === 'money' && typeof value === 'number') return value.toFixed(2);
  if (as === 'place' && typeof value === 'number') return String(value + 1);
  return textOf(value);
}

/**
 * The record that was typed. What cannot be read as its kind of value stays text, so that nothing typed is lost; its
 * schema finds it. Fields that are left empty are left out where the schema allows it.
 */
export function valueTyped(fields: readonly FormField[], typed: Typed): RecordValue {
  return groupOf(fields, 'v', typed);
}

function groupOf(fields: readonly FormField[], name: string, typed: Typed): RecordValue {
  const value: RecordValue = {};
  for (const field of fields) {
    const read = readField(field, `${name}.${field.name}`, typed);
    if (read !== undefined) value[field.name] = read;
  }
  return value;
}

function readField(field: FormField, name: string, typed: Typed): unknown {
  const { widget, optional } = field;
  const text = (typed[name] ?? '').replaceAll('\r\n', '\n');
  switch (widget.as) {
    case 'group': {
      const inner = groupOf(widget.fields, name, typed);
      return optional && isBlank(inner) ? undefined : inner;
    }
    case 'list':
      return orNothing(
        orderOf(typed, name).map((at) => groupOf(widget.fields, `${name}.${at}`, typed)),
        optional,
      );
    case 'texts':
      // Several lines that are pasted into one field are several texts.
      return orNothing(
        orderOf(typed, name).flatMap((at) => linesIn(typed[`${name}.${at}.text`] ?? '')),
        optional,
      );
    case 'references':
      return orNothing(
        numbersUnder(typed, `${name}.`)
          .map((at) => (typed[`${name}.${at}`] ?? '').trim())
          .filter((one) => one !== ''),
        optional,
      );
    case 'choices':
      return orNothing(
        widget.of.filter((one) => typed[`${name}.${one}`] === 'on'),
        optional,
      );
    case 'lines':
      return orNothing(linesIn(text), optional);
    case 'tick':
      return typed[name] === 'on' ? true : optional ? undefined : false;
    case 'number':
    case 'money':
      return numberIn(text);
    case 'place': {
      const place = numberIn(text);
      return typeof place === 'number' ? place - 1 : place;
    }
    case 'markdown':
      return text === '' && optional ? undefined : text;
    case 'line':
    case 'text':
      return orEmpty(linesIn(text).join(' '), optional);
    case 'choice':
    case 'reference':
    case 'date':
    case 'time':
      return orEmpty(text.trim(), optional);
  }
}

const linesIn = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const orEmpty = (text: string, optional: boolean) => (text === '' && optional ? undefined : text);
const orNothing = (list: unknown[], optional: boolean) => (list.length === 0 && optional ? undefined : list);

/** The number in a text such as `1,299.50` or `AU$ 1299`; a text without one as it is, undefined for none. */
function numberIn(text: string): number | string | undefined {
  const plain = text.trim().replace(/^(AU)?\$\s*/, '');
  if (plain === '') return undefined;
  const digits = plain.replaceAll(/(?<=\d)[, ](?=\d{3}(\D|$))/g, '');
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(digits) ? Number(digits) : text.trim();
}

/** A group in which nothing is filled in. */
function isBlank(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.values(value).every(isBlank);
}

/** The name of the order number of a member. */
export const orderName = (name: string) => `n.${name.slice('v.'.length)}`;

/** The members of a list in a form, by the numbers in their names, in the order that their order numbers ask for. */
export function orderOf(typed: Typed, name: string): number[] {
  return numbersUnder(typed, `${orderName(name)}.`)
    .map((at, index) => ({ at, wanted: placeAsked(typed[orderName(`${name}.${at}`)] ?? '', index + 1), index }))
    .sort((a, b) => a.wanted - b.wanted || a.index - b.index)
    .map(({ at }) => at);
}

/** A member that is moved up comes before the one whose place it takes, one that is moved down after it. */
function placeAsked(text: string, place: number): number {
  const asked = Number(text.trim());
  if (text.trim() === '' || !Number.isFinite(asked) || asked === place) return place;
  return asked + (asked < place ? -0.5 : 0.5);
}

/** The numbers that follow a prefix in names, each once, from the lowest. */
function numbersUnder(typed: Typed, prefix: string): number[] {
  const found = Object.keys(typed)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(/^\d{1,4}/.exec(name.slice(prefix.length))?.[0] ?? Number.NaN));
  return [...new Set(found.filter((at) => !Number.isNaN(at)))].sort((a, b) => a - b);
}

const isRecord = (value: unknown): value is RecordValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : value == null ? '' : String(value));
