import type { RouteConfigEntry } from '@react-router/dev/routes';
import { expect, test } from 'vitest';
import routes from '#app/routes.ts';
import { isPrivate } from './private-pages.server.ts';

/** What names something that everybody may read. A parameter that is not here is of a private address. */
const publicParameters = [
  'certificationId',
  'courseId',
  'file',
  'instructorId',
  'kind',
  // Of a list of badges, and of a certificate: anybody with the number may check it.
  'list',
  'number',
  'questLineId',
  'resourceId',
  'courseDateId',
  'version',
];

function pathsOf(entries: readonly RouteConfigEntry[]): string[] {
  return entries.flatMap(({ path, children = [] }) => [...(path ? [`/${path}`] : []), ...pathsOf(children)]);
}

test('every address with a token, a reference or an id is private, and so is its data', () => {
  const paths = pathsOf(routes);
  const withOwn = paths.filter((path) =>
    [...path.matchAll(/:(\w+)/g)].some(([, name = '']) => !publicParameters.includes(name)),
  );
  expect(withOwn.length).toBeGreaterThan(30);
  const addresses = withOwn.map((path) => path.replaceAll(/:\w+/g, 'x1'));
  expect(addresses.filter((address) => !isPrivate(address))).toEqual([]);
  expect(addresses.filter((address) => !isPrivate(`${address}.data`))).toEqual([]);
  const staff = paths.filter((path) => /^\/(account|company|login|logout|staff)(\/|$)/.test(path));
  expect(staff.length).toBeGreaterThan(35);
  expect(staff.filter((path) => !isPrivate(path) || !isPrivate(`${path}.data`))).toEqual([]);
});

test('other spellings of a private address are private too', () => {
  for (const address of ['/BOOKING/T', '//enrolment/t', '/%65nrolment/t/', '/Chat/T/live', '/enrol/t/payer.data'])
    expect([address, isPrivate(address)]).toEqual([address, true]);
});

test('pages that are for everybody are not', () => {
  const open = [
    '/',
    '/enrol',
    '/enrol.data',
    '/enrol/',
    '/enrolments',
    '/chat',
    '/chat.data',
    '/waiting-list',
    '/book/call',
  ];
  const paths = pathsOf(routes).filter(
    (path) => !path.includes(':') && !/^\/(account|company|login|logout|staff|mail)\b/.test(path),
  );
  expect([...open, ...paths].filter(isPrivate)).toEqual([]);
});
