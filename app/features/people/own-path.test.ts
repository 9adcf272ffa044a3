import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

test.each([
  ['/account/settings', '/account/settings'],
  ['/course/cissp?way=guided', '/course/cissp?way=guided'],
  ['/', '/account'],
  ['/login', '/account'],
  ['/login/code', '/account'],
  ['/login?to=/login', '/account'],
  ['/courses/../login', '/account'],
  ['/logout', '/account'],
  ['/staff', '/account'],
  ['/staff.data', '/account'],
  ['//elsewhere.example', '/account'],
  ['/\\elsewhere.example', '/account'],
  ['https://elsewhere.example/account', '/account'],
  ['javascript:alert(1)', '/account'],
  [null, '/account'],
])('after logging in %s leads a player to %s', (wanted, path) => {
  expect(ownPath('player', wanted)).toBe(path);
});

test('staff are led to pages for staff', () => {
  expect([ownPath('staff', '/staff/mail'), ownPath('staff', '/account')]).toEqual(['/staff/mail', '/staff']);
});
