import { expect, test } from 'vitest';
import { z } from 'zod';
import { moveDates } from '#app/features/content/calendar.ts';
import { recordsOf } from '#app/features/content/records.ts';
import { openingDay, readAcademy } from '#tests/support/academy.ts';
import type { Field, Widget } from './field.ts';
import { described, fieldsOf } from './fields.ts';
import { kinds, titleOf } from './kinds.ts';
import { typedOf, valueTyped } from './typed.ts';

/** What is wrong between a description and its schema. */
function faultsOf(path: string, fields: readonly Field[], schema: z.ZodType): string[] {
  const object = inner(schema);
  if (!(object instanceof z.ZodObject)) return [`${path} is no object`];
  const names = fields.map(({ name }) => name);
  const wanted = Object.keys(object.shape);
  return [
    ...names.filter((name, at) => names.indexOf(name) < at).map((name) => `${path}.${name} is described twice`),
    ...wanted.filter((name) => !names.includes(name)).map((name) => `${path}.${name} is not described`),
    ...names.filter((name) => !wanted.includes(name)).map((name) => `${path}.${name} is not in the schema`),
    ...fields.flatMap(({ name, label, widget }) => {
      const own = object.shape[name];
      if (!own) return [];
      const at = `${path}.${name}`;
      return [...(label === '' ? [`${at} has no label`] : []), ...widgetFaults(at, widget, inner(own))];
    }),
  ];
}

function widgetFaults(path: string, widget: Widget, schema: z.ZodType): string[] {
  const must = (right: boolean) => (right ? [] : [`${path} is no ${widget.as}`]);
  const element = schema instanceof z.ZodArray ? inner(schema.element as z.ZodType) : undefined;
  switch (widget.as) {
    case 'group':
      return faultsOf(path, widget.fields, schema);
    case 'list':
      return element ? faultsOf(path, widget.fields, element) : [`${path} is no list`];
    case 'lines':
    case 'texts':
    case 'references':
      return must(element instanceof z.ZodString || element instanceof z.ZodISODate);
    case 'choices':
      return must(element instanceof z.ZodEnum && String(element.options) === String(widget.of));
    case 'choice':
      return must(schema instanceof z.ZodEnum && String(schema.options) === String(widget.of));
    case 'tick':
      return must(schema instanceof z.ZodBoolean);
    case 'number':
    case 'money':
    case 'place':
      return must(schema instanceof z.ZodNumber);
    case 'date':
      return must(schema instanceof z.ZodISODate);
    default:
      return must(schema instanceof z.ZodString || schema instanceof z.ZodURL);
  }
}

function inner(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return inner(schema.unwrap() as z.ZodType);
  return schema;
}

test('P74: every field of every kind is described exactly once, by a widget that fits its schema', () => {
  expect(Object.keys(described).sort()).toEqual(Object.keys(kinds).sort());
  for (const [kind, { schema, fields }] of Object.entries(described))
    expect(faultsOf(kind, fields, schema)).toEqual([]);
});

test('P74: the form of every record of content/ gives back its own value', async () => {
  const records = recordsOf(moveDates(await readAcademy(), openingDay.today));
  expect(records.length).toBeGreaterThan(400);
  for (const { kind, key, value } of records) {
    const fields = fieldsOf(kind);
    // As a browser sends it.
    const sent = Object.entries(typedOf(fields, value)).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]);
    expect([kind, key, valueTyped(fields, Object.fromEntries(sent))]).toEqual([kind, key, value]);
    expect(titleOf(kind, value)).not.toContain('without a name');
  }
});
