/**
 * The acts of the buttons among the fields of a form, which save nothing. They run in the browser or, without scripts,
 * on the server.
 */
import type { FormField, FormWidget } from './field.ts';
import { orderName, orderOf, type Typed } from './typed.ts';

/**
 * The value of a button: `up:v.curriculum.2`, `add:v.curriculum`; `back:v.title` restores the published value of a
 * field.
 */
const formAct = /^(up|down|remove|add|back):(v\.[A-Za-z0-9.-]+)$/;
export const isFormAct = (act: string): boolean => formAct.test(act);
/** The field that an act takes back; null for every other act. */
export const takenBackBy = (act: string): string | null => /^back:v\.([A-Za-z0-9-]+)$/.exec(act)?.[1] ?? null;

/**
 * The form after an act; the members of a list that it worked on are in the order of their numbers then. `published` is
 * the form of what is published. `focus` in the result names the control to go on with.
 */
export function withFormAct(typed: Typed, act: string, { fields, published }: Known): Typed {
  const [, verb, target = ''] = formAct.exec(act) ?? [];
  if (!verb) return typed;
  if (verb === 'back') return { ...without(typed, target), ...only(published, target), focus: act };
  const name = verb === 'add' ? target : target.slice(0, target.lastIndexOf('.'));
  const order = orderOf(typed, name);
  const from = order.indexOf(verb === 'add' ? -1 : Number(target.slice(name.length + 1)));
  if (verb === 'add') {
    const next = inOrder(typed, name, [...order, Math.max(-1, ...order) + 1]);
    return { ...next, focus: firstOf(fields, name, `${name}.${order.length}`) };
  }
  if (from < 0) return typed;
  const [last, moved] = [order.length - 1, [...order]];
  if (verb === 'remove') {
    moved.splice(from, 1);
    const focus = last === 0 ? `add:${name}` : `remove:${name}.${Math.min(from, last - 1)}`;
    return { ...inOrder(typed, name, moved), focus };
  }
  const to = Math.min(last, Math.max(0, from + (verb === 'up' ? -1 : 1)));
  moved.splice(to, 0, ...moved.splice(from, 1));
  // At either end the button that led there has nothing more to do.
  const next = to === 0 ? 'down' : to === last ? 'up' : verb;
  return { ...inOrder(typed, name, moved), focus: `${next}:${name}.${to}` };
}

type Known = { fields: readonly FormField[]; published: Typed };

/** Whether a key belongs to a field: its texts, its order numbers, and its open members. */
const isOf = (key: string, target: string): boolean => {
  const own = `v${key.slice(1)}`;
  return /^[vno]\./.test(key) && (own === target || own.startsWith(`${target}.`));
};
const without = (typed: Typed, target: string): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([key]) => !isOf(key, target)));
/** The entries of a form for one field, such as `v.title`. */
const only = (typed: Typed, target: string): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([key]) => isOf(key, target)));

/** Whether two forms say the same of a field, `v.title`. */
export const sayTheSame = (a: Typed, b: Typed, target: string): boolean => {
  const said = (typed: Typed) =>
    JSON.stringify(
      Object.entries(only(typed, target))
        .filter(([key]) => /^[vn]/.test(key))
        .sort(),
    );
  return said(a) === said(b);
};

/**
 * The form with the entries of one field replaced by those of another form, whose names begin with `m.`: `m.v.title`.
 */
export function withMine(typed: Typed, target: string): Typed {
  const mine = Object.entries(typed).flatMap(([key, text]): [string, string][] => {
    const own = key.slice('m.'.length);
    return key.startsWith('m.') && isOf(own, target) ? [[own, text]] : [];
  });
  return { ...without(typed, target), ...Object.fromEntries(mine) };
}

/** The entries that `withMine` reads later. */
export const asMine = (typed: Typed, target: string): Typed =>
  Object.fromEntries(Object.entries(only(typed, target)).map(([key, text]) => [`m.${key}`, text]));

function inOrder(typed: Typed, name: string, order: readonly number[]): Typed {
  const result: Typed = {};
  const [openName, prefixes] = [
    name.replace(/^v/, 'o'),
    [`${name}.`, `${orderName(name)}.`, `${name.replace(/^v/, 'o')}.`],
  ];
  for (const [key, text] of Object.entries(typed)) {
    if (!prefixes.some((prefix) => key.startsWith(prefix))) result[key] = text;
  }
  order.forEach((was, at) => {
    result[orderName(`${name}.${at}`)] = String(at + 1);
    for (const inner of [name, orderName(name), openName]) {
      for (const [key, text] of Object.entries(typed)) {
        if (key.startsWith(`${inner}.${was}.`)) result[`${inner}.${at}${key.slice(`${inner}.${was}`.length)}`] = text;
      }
    }
    if (typed[`${openName}.${was}`]) result[`${openName}.${at}`] = 'on';
  });
  return result;
}

/** The first control of a new member of a list. */
function firstOf(fields: readonly FormField[], list: string, member: string): string {
  let inside = fields;
  let widget: FormWidget | undefined;
  for (const part of list.split('.').slice(1)) {
    if (/^\d+$/.test(part)) continue;
    widget = inside.find(({ name }) => name === part)?.widget;
    inside = widget && 'fields' in widget ? widget.fields : [];
  }
  return `${member}.${widget?.as === 'texts' ? 'text' : (inside[0]?.name ?? '')}`;
}
