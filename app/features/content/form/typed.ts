/** What a form holds of a record, and back. Used in the browser too. */
import type { RecordValue } from '#app/features/content/records.ts';
import type { FormField, FormWidget } from './field.ts';

/** What is typed, by the name of its field: `v.title`, `v.curriculum.0.module`; `n.curriculum.0` is the order number. */
export type Typed = Record<string, string>;

/** A record as its form shows it. A value that does not fit its field, such as "ten" hours of a draft, is shown as it is. */
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
      return orNothing(
        text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
        optional,
      );
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
      return orEmpty(text.replaceAll(/\s*\n\s*/g, ' ').trim(), optional);
    case 'choice':
    case 'reference':
    case 'date':
    case 'time':
      return orEmpty(text.trim(), optional);
  }
}

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

const orderName = (name: string) => `n.${name.slice('v.'.length)}`;

/** The numbers of the members of a list in the order that their order numbers ask for. */
function orderOf(typed: Typed, name: string): number[] {
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

/** What can be done to a member of a list, as a button sends it: `up:v.curriculum.2`, `add:v.curriculum`. */
const listAct = /^(up|down|remove|add):(v\.[A-Za-z0-9.-]+)$/;
export const isListAct = (act: string): boolean => listAct.test(act);

/** The form after a member of a list was moved, removed or added; members are in the order of their numbers then. */
export function withListAct(typed: Typed, act: string): Typed {
  const [, verb, target = ''] = listAct.exec(act) ?? [];
  if (!verb) return typed;
  const name = verb === 'add' ? target : target.slice(0, target.lastIndexOf('.'));
  const member = verb === 'add' ? -1 : Number(target.slice(name.length + 1));
  const order = orderOf(typed, name);
  const from = order.indexOf(member);
  if (verb === 'add') order.push(Math.max(-1, ...order) + 1);
  else if (from < 0) return typed;
  else if (verb === 'remove') order.splice(from, 1);
  else {
    const to = Math.min(order.length - 1, Math.max(0, from + (verb === 'up' ? -1 : 1)));
    order.splice(to, 0, ...order.splice(from, 1));
  }
  return inOrder(typed, name, order);
}

function inOrder(typed: Typed, name: string, order: readonly number[]): Typed {
  const result: Typed = {};
  const prefixes = [`${name}.`, `${orderName(name)}.`];
  for (const [key, text] of Object.entries(typed)) {
    if (!prefixes.some((prefix) => key.startsWith(prefix))) result[key] = text;
  }
  order.forEach((was, at) => {
    result[orderName(`${name}.${at}`)] = String(at + 1);
    const prefix = `${name}.${was}.`;
    for (const [key, text] of Object.entries(typed)) {
      if (key.startsWith(prefix)) result[`${name}.${at}.${key.slice(prefix.length)}`] = text;
    }
  });
  return result;
}

/** The members of a list in a form, in their order, by the numbers in their names. */
export const membersTyped = (typed: Typed, name: string): number[] => orderOf(typed, name);

const isRecord = (value: unknown): value is RecordValue =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : value == null ? '' : String(value));
