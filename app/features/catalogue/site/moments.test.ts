import { expect, test } from 'vitest';
import { demonstrations } from './demonstrations.ts';
import { momentOf } from './moments.ts';

test.each(demonstrations)(
  'P19: the demonstration $id has a question with one right answer',
  ({ courseSlug, steps }) => {
    const moment = momentOf(courseSlug);
    expect(moment?.choices.filter(({ note }) => note.startsWith('Yes'))).toHaveLength(1);
    expect(moment?.choices).toHaveLength(3);
    expect(
      steps
        .flatMap(({ lines }) => lines)
        .join('\n')
        .startsWith(moment?.lines.join('\n') ?? '-'),
    ).toBe(true);
  },
);

test('a course without a demonstration has no moment', () => {
  expect(momentOf('cissp')).toBeNull();
});
