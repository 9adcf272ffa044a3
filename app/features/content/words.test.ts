import { expect, test } from 'vitest';
import { contentChanges } from './words.ts';

const long = 'We teach what the exam asks for, and what the job asks for after it. '.repeat(5);

test('P69: of a long text the trace has what differs, with some words around it', () => {
  const [change] = contentChanges(
    'course',
    { description: `${long}Bring a laptop. ${long}` },
    { description: `${long}Bring a phone. ${long}` },
  );
  expect(change?.before).toMatch(/^….* Bring a laptop\. We .*…$/);
  expect(change?.after).toMatch(/^….* Bring a phone\. We .*…$/);
});

test('P69: a long text that is new, or all others, is told by its length', () => {
  const [made] = contentChanges('course', null, { description: long });
  expect(made).toEqual({ field: 'description', before: null, after: `${long.length} characters` });
});
