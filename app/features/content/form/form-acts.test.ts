import { expect, test } from 'vitest';
import type { FormField } from './field.ts';
import { asMine, sayTheSame, withFormAct, withMine } from './form-acts.ts';
import { type Typed, typedOf, valueTyped } from './typed.ts';

const field = (name: string, widget: FormField['widget']): FormField => ({ name, label: name, optional: true, widget });
const fields = [
  field('title', { as: 'line' }),
  field('modules', {
    as: 'list',
    item: 'module',
    fields: [field('name', { as: 'line' }), field('topics', { as: 'texts', item: 'topic' })],
  }),
];
const modules = (...names: string[]) => names.map((name) => ({ name, topics: [`${name}1`, `${name}2`, `${name}3`] }));
const three = typedOf(fields, { title: 'T', modules: modules('a', 'b', 'c') });
const act = (typed: Typed, name: string, published: Typed = {}) => withFormAct(typed, name, { fields, published });
const listed = (typed: Typed) =>
  (valueTyped(fields, typed).modules as { name: string; topics: string[] }[] | undefined) ?? [];
const order = (typed: Typed) =>
  listed(typed)
    .map(({ name }) => name)
    .join('');

test.each([
  ['up:v.modules.2', 'acb', 'up:v.modules.1'],
  ['down:v.modules.0', 'bac', 'down:v.modules.1'],
  // The button has nothing more to do there: the other one is next.
  ['up:v.modules.1', 'bac', 'down:v.modules.0'],
  ['down:v.modules.1', 'acb', 'up:v.modules.2'],
  ['up:v.modules.0', 'abc', 'down:v.modules.0'],
  ['remove:v.modules.1', 'ac', 'remove:v.modules.1'],
  ['remove:v.modules.2', 'ab', 'remove:v.modules.1'],
  ['add:v.modules', 'abc', 'v.modules.3.name'],
  ['remove:v.modules.7', 'abc', undefined],
])('P74: %s makes %s of a list, and goes on at %s', (name, wanted, focus) => {
  const after = act(three, name);
  expect([order(after), after.focus]).toEqual([wanted, focus]);
  expect(Object.keys(after).filter((key) => /^n\.modules\.\d+$/.test(key))).toHaveLength(
    name.startsWith('add') ? 4 : wanted.length,
  );
});

test('P74: a moved member takes its fields along in their order, and stays open', () => {
  const after = act({ ...three, 'n.modules.2.topics.2': '1', 'o.modules.2': 'on' }, 'up:v.modules.2');
  expect(listed(after)[1]).toEqual({ name: 'c', topics: ['c3', 'c1', 'c2'] });
  expect(Object.keys(after).filter((key) => key.startsWith('o.'))).toEqual(['o.modules.1']);
});

test('P74: topics of a module are moved, removed and added, and the last one leaves the focus with "add"', () => {
  const topics = (typed: Typed) => listed(typed)[1]?.topics.join(' ');
  expect(topics(act(three, 'up:v.modules.1.topics.2'))).toBe('b1 b3 b2');
  expect(topics(act(three, 'remove:v.modules.1.topics.0'))).toBe('b2 b3');
  expect(act(three, 'add:v.modules.1.topics').focus).toBe('v.modules.1.topics.3.text');
  const one = typedOf(fields, { modules: [{ name: 'a', topics: ['x'] }] });
  expect(act(one, 'remove:v.modules.0.topics.0').focus).toBe('add:v.modules.0.topics');
});

test('P71: one field is restored to its published value, and nothing else', () => {
  const published = typedOf(fields, { title: 'Was', modules: modules('x') });
  const after = act({ ...three, 'v.titles': 'no field of that name', note: 'n' }, 'back:v.modules', published);
  expect([order(after), valueTyped(fields, after).title, after['v.titles'], after.note]).toEqual([
    'x',
    'T',
    'no field of that name',
    'n',
  ]);
  expect([sayTheSame(after, published, 'v.modules'), sayTheSame(after, published, 'v.title')]).toEqual([true, false]);
  expect(valueTyped(fields, act(three, 'back:v.title')).title).toBeUndefined();
});

test('P71: my value of a field that two people changed is kept beside the new text', () => {
  const kept = { ...act(three, 'remove:v.modules.0'), ...asMine(three, 'v.modules'), 'v.title': 'Anew' };
  expect([order(kept), order(withMine(kept, 'v.modules'))]).toEqual(['bc', 'abc']);
  expect(valueTyped(fields, withMine(kept, 'v.modules')).title).toBe('Anew');
});
