import { expect, test } from 'vitest';
import { sampleCourse } from '#tests/support/sample-content.ts';
import { closestPair, officialNames, repeatedProse } from './repeated-prose.ts';

const course = (slug: string, overview: string) =>
  sampleCourse(slug, {
    overview,
    description: `${slug} describes`,
    objectives: [`${slug} objective`],
    prerequisites: [`${slug} prerequisite`],
    credential: `${slug} certificate`,
  });
const asIs = officialNames([]);

test('eight words in a row that two courses share are a fault, seven are none', () => {
  const a = course('a', 'Before lunch we read one two three four five six seven eight logs.');
  expect(repeatedProse([a, course('b', 'After it one two three four five six seven nine.')], asIs)).toEqual([]);
  const faults = repeatedProse([a, course('b', 'Later: One two, three four five six seven EIGHT again.')], asIs);
  expect(faults).toEqual([
    { file: { course: 1 }, path: ['overview'], message: 'shares with a: "one two three four five six seven eight"' },
  ]);
});

test('a course may repeat itself, and fields do not run into each other', () => {
  const same = 'one two three four five six seven eight';
  expect(repeatedProse([course('a', `${same} ${same}`)], asIs)).toEqual([]);
  const a = sampleCourse('a', { overview: 'one two three four', objectives: ['five six seven eight'] });
  const b = course('b', same);
  expect(repeatedProse([{ ...a, description: 'x' }, b], asIs)).toEqual([]);
});

test('a later course is told of the first once a field', () => {
  const text = 'one two three four five six seven eight nine ten eleven';
  expect(repeatedProse([course('a', text), course('b', text)], asIs)).toHaveLength(1);
});

test('an official name counts as one word of its own, the longest first', () => {
  const names = officialNames(['Office', 'Office of the Australian Information Commissioner']);
  const text = 'tell the Office of the Australian Information Commissioner';
  expect(names.shorten(`${text}, officers included`)).toBe('tell the officialname0, officers included');
  expect(names.restore(names.shorten(text))).toBe(text);
  const pair = [course('a', `Always ${text} within`), course('b', `Never ${text} after`)];
  expect(repeatedProse(pair, asIs)).toHaveLength(1);
  expect(repeatedProse(pair, names)).toEqual([]);
});

test('a repeat is told with its names written out, and other names make other sentences', () => {
  const names = officialNames(['CompTIA Security+', 'AWS Certified Cloud Practitioner']);
  const rule = (name: string) => `Finish ${name} first or show us work like it`;
  const first = course('a', rule('CompTIA Security+'));
  expect(repeatedProse([first, course('b', rule('AWS Certified Cloud Practitioner'))], names)).toEqual([]);
  expect(repeatedProse([first, course('b', rule('CompTIA Security+'))], names)[0]?.message).toBe(
    'shares with a: "finish CompTIA Security+ first or show us work like"',
  );
});

test('the closest pair is the one that shares most three-word runs', () => {
  const plain = { curriculum: [] };
  const a = { ...course('a', 'one two three four five'), ...plain };
  const b = { ...course('b', 'one two three four six'), ...plain };
  const c = { ...course('c', 'seven eight nine ten'), ...plain };
  // Of one-two-three, two-three-four, three-four-five and three-four-six, two are in both.
  expect(closestPair([c, a, b], asIs)).toEqual({ slugs: ['a', 'b'], share: 0.5 });
});
