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

test.each([
  ['/staff/enquiries?state=new', '/staff/enquiries?state=new'],
  ['/staff', '/staff'],
  ['/staff?page=2', '/staff?page=2'],
  ['/account/settings', '/account/settings'],
  ['/accounts', '/staff'],
  ['/staffing', '/staff'],
  ['/courses', '/staff'],
  ['/staff/../courses', '/staff'],
  ['/staff/sign-in', '/staff'],
  ['/staff/sign-out', '/staff'],
  ['https://elsewhere.example/staff', '/staff'],
  ['//elsewhere.example/staff', '/staff'],
  [null, '/staff'],
])('after signing in %s leads staff to %s', (wanted, path) => {
  expect(ownPath('staff', wanted)).toBe(path);
});
