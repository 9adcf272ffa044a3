import { expect, test } from 'vitest';
import { stateOfCourseLink, stepsToList } from './back-to-list.ts';

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

test.each([
  [{ toList: 1 }, { toList: 2 }],
  [{ toList: 4 }, { toList: 5 }],
  [null, undefined],
  [undefined, undefined],
  ['list', undefined],
  [{}, undefined],
  [{ toList: '1' }, undefined],
])('a link to another course, from a place with the state %j, carries %j', (state, carried) => {
  expect(stateOfCourseLink(state)).toEqual(carried);
});
