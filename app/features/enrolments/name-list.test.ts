import { expect, test } from 'vitest';
import { readNameList } from './name-list.ts';

const ada = { name: 'Ada Byron', email: 'ada@x.example' };
const faultOf = (text: string, most = 40) => {
  const read = readNameList(text, most);
  return read.ok ? null : read.fault;
};

test('P115: a list is read with commas, semicolons or tabs, in either order, without its headings', () => {
  for (const text of [
    'Ada Byron, ada@x.example',
    'ada@x.example;Ada Byron',
    'Name\tEmail\n\nAda\tByron\tada@x.example',
  ])
    expect(readNameList(text, 2)).toEqual({ ok: true, people: [ada] });
});

test('P115: each fault is named by its line, and nobody is taken', () => {
  const text = ['Ada Byron, ada@x.example', 'Grace Hopper', 'grace@x', 'Ada, ADA@x.example', 'no@name.example'].join(
    '\n',
  );
  expect(faultOf(text)).toBe(
    'Line 2: an email address is missing. Line 3: “grace@x” is no email address. Line 4: the address of line 1 again. Line 5: a name is missing.',
  );
});

test('P115: a list of 4,000 lines is refused in a sentence', () => {
  const text = Array.from({ length: 4000 }, (_, at) => `A, a${at}@x.example`).join('\n');
  expect(faultOf(text, 3)).toBe('The list has 4,000 lines, and 3 people have no name yet.');
});

test('P115: of many faults the first five are named', () => {
  expect(faultOf('x\n'.repeat(9))).toMatch(/^Line 1: .*Line 5: an email address is missing\. And 4 more\.$/);
});
