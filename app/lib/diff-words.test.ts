import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffWords, shortened } from './diff-words.ts';

test('P70: two texts are compared word by word', () => {
  expect(diffWords('Hunt for what no rule caught.', 'Hunt for all that no rule caught.')).toEqual([
    { kind: 'same', text: 'Hunt for ' },
    { kind: 'out', text: 'what' },
    { kind: 'in', text: 'all that' },
    { kind: 'same', text: ' no rule caught.' },
  ]);
  expect(diffWords('', 'New')).toEqual([{ kind: 'in', text: 'New' }]);
  expect(diffWords('Same', 'Same')).toEqual([{ kind: 'same', text: 'Same' }]);
});

test('P70: kept and added words are the later text, kept and removed words the earlier one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n')).map((words) => words.join(' '));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after);
      const without = (kind: string) =>
        parts
          .filter((one) => one.kind !== kind)
          .map((one) => one.text)
          .join('');
      expect([without('in'), without('out')]).toEqual([before, after]);
    }),
  );
});

test('of a long text that stayed the same only what lies beside a change is shown', () => {
  const same = 'word '.repeat(60);
  const parts = shortened(diffWords(`${same}old ${same}`, `${same}new ${same}`));
  expect(parts.map(({ kind }) => kind)).toEqual(['same', 'out', 'in', 'same']);
  expect(parts[0]?.text).toMatch(/^…/);
  expect(parts[3]?.text).toMatch(/…$/);
  expect(parts.every(({ text }) => text.length < 130)).toBe(true);
});
