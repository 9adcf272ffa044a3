import { expect, test } from 'vitest';
import { stepsToList } from './back-to-list.ts';

test.each([
  [['/courses', '/course/a'], 1],
  [['/about', '/', '/course/a'], 1],
  [['/courses', '/course/a', '/course/b'], 2],
  [['/course/a'], null],
  [['/courses', '/quest-lines', '/course/a'], null],
  [['', '/course/a'], null],
])('from %j the list lies %s steps back', (paths, steps) => {
  expect(stepsToList(paths)).toBe(steps);
});
