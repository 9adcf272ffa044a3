import { expect, test } from 'vitest';
import { z } from 'zod';
import { readYaml, writeYaml } from './yaml.ts';

const schema = z.strictObject({ title: z.string(), modules: z.array(z.strictObject({ hours: z.int() })) });

test('every fault is named with its line and field', () => {
  const text = 'title: 3\nmodules:\n  - hours: 4\n  - hours: many\n    extra: 1\n';
  const result = readYaml('a.yaml', text, schema);
  expect(result.ok).toBe(false);
  if (result.ok) return;
  expect(result.faults.map(({ line, field }) => [line, field])).toEqual([
    [1, 'title'],
    [4, 'modules[1].hours'],
    [4, 'modules[1]'],
  ]);
});

test('a missing field is reported where its record begins', () => {
  const result = readYaml('a.yaml', 'modules:\n  - {}\ntitle: x\n', schema);
  expect(result).toMatchObject({ faults: [{ file: 'a.yaml', line: 2, field: 'modules[0].hours' }] });
});

test('broken YAML, repeated keys and an empty file are faults, not exceptions', () => {
  for (const text of ['title: "x', 'title: a\ntitle: b\nmodules: []\n', '', ': :\n- x', '\u0000']) {
    expect(readYaml('a.yaml', text, schema)).toMatchObject({ ok: false });
  }
});

test('a written file reads back the same, with long prose and awkward characters', () => {
  const value = { title: `${'A long sentence: with # and "quotes". '.repeat(8)}end`, modules: [{ hours: 3 }] };
  const text = writeYaml(value, './x.schema.json');
  expect(text.split('\n').every((line) => line.length <= 120)).toBe(true);
  expect(readYaml('a.yaml', text, schema)).toMatchObject({ ok: true, value });
});

test('an alias is a fault, however many values it would stand for', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let depth = 1; depth < 12; depth++) {
    const [name, before] = [String.fromCharCode(97 + depth), String.fromCharCode(96 + depth)];
    bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
  }
  const result = readYaml('bomb.yaml', bomb.join('\n'), z.unknown());
  expect(result.ok).toBe(false);
  expect(result.ok ? null : result.faults[0]).toEqual({
    file: 'bomb.yaml',
    line: 2,
    field: '',
    message: 'repeats a value by an alias (*name): write it out',
  });
});
