import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FormField } from './field.ts';
import { typedOf, valueTyped } from './typed.ts';

const field = (name: string, widget: FormField['widget'], optional = false): FormField => ({
  name,
  label: name,
  optional,
  widget,
});
const fields = [
  field('title', { as: 'line' }),
  field('price', { as: 'money' }, true),
  field('hours', { as: 'number' }),
  field('guided', { as: 'tick' }, true),
  field('topics', { as: 'lines' }),
  field('needs', { as: 'references', to: 'course' }, true),
  field('at', { as: 'place' }, true),
  field('steps', { as: 'texts', item: 'step' }, true),
  field('facts', { as: 'list', item: 'fact', fields: [field('text', { as: 'line' })] }, true),
  field('body', { as: 'markdown' }),
  field('bank', { as: 'group', fields: [field('bsb', { as: 'line' })] }, true),
];

test('P74: a form holds texts, and gives back the value with its numbers, lists and ticks', () => {
  const value = {
    title: 'SOC',
    price: 1299.5,
    hours: 24,
    guided: true,
    topics: ['One', 'Two'],
    needs: ['a'],
    at: 0,
    facts: [{ text: 'As at 2026' }],
    body: '\n## One\n\nTwo\n',
  };
  const typed = typedOf(fields, value);
  expect(typed).toEqual({
    'v.title': 'SOC',
    'v.price': '1299.50',
    'v.hours': '24',
    'v.guided': 'on',
    'v.topics': 'One\nTwo',
    'v.needs.0': 'a',
    'v.at': '1',
    'n.facts.0': '1',
    'v.facts.0.text': 'As at 2026',
    'v.body': '\n## One\n\nTwo\n',
  });
  expect(valueTyped(fields, typed)).toEqual(value);
});

test('P74: texts with a field each come back in their order, and several lines in one are several', () => {
  const typed = typedOf(fields, { steps: ['a', 'b', 'c'] });
  expect(typed).toEqual({
    'n.steps.0': '1',
    'v.steps.0.text': 'a',
    'n.steps.1': '2',
    'v.steps.1.text': 'b',
    'n.steps.2': '3',
    'v.steps.2.text': 'c',
  });
  const changed = { ...typed, 'n.steps.2': '1', 'v.steps.0.text': ' a\r\n\r\naa ', 'v.steps.1.text': ' ' };
  expect(valueTyped(fields, changed).steps).toEqual(['c', 'a', 'aa']);
});

test('P71: a value that does not fit its field stays as it was typed', () => {
  const typed = {
    'v.title': ' SOC \r\n Analyst ',
    'v.hours': 'ten',
    'v.price': 'AU$1,299.50',
    'v.topics': '',
    'v.body': 'x\r\ny',
  };
  const value = valueTyped(fields, typed);
  expect(value).toEqual({ title: 'SOC Analyst', hours: 'ten', price: 1299.5, topics: [], body: 'x\ny' });
  expect(typedOf(fields, value)['v.hours']).toBe('ten');
});

const three = typedOf(fields, { facts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
const order = (typed: Record<string, string>) =>
  (valueTyped(fields, typed).facts as { text: string }[] | undefined)?.map(({ text }) => text).join('') ?? '';

test.each([
  ['n.facts.2', '1', 'cab'],
  ['n.facts.0', '3', 'bca'],
  ['n.facts.0', '2', 'bac'],
  ['n.facts.1', 'x', 'abc'],
])('P74: a member moves to the place of its number: %s = %s', (name, number, wanted) => {
  expect(order({ ...three, [name]: number })).toBe(wanted);
});

test('P74: any list that is typed comes back in its order', () => {
  const texts = fc.array(fc.string({ minLength: 1 }).map((text) => text.replaceAll(/\s/g, 'x')));
  fc.assert(
    fc.property(texts, (list) => {
      const value = { facts: list.map((text) => ({ text })) };
      expect(order(typedOf(fields, value))).toBe(list.join(''));
    }),
  );
});
