import { expect, test } from 'vitest';
import { staffPath } from './staff-path.ts';

test.each([
  ['/staff/enquiries?state=new', '/staff/enquiries?state=new'],
  ['/staff', '/staff'],
  ['/staff?page=2', '/staff?page=2'],
  ['/staffing', '/staff'],
  ['/courses', '/staff'],
  ['/staff/../courses', '/staff'],
  ['/staff/sign-in', '/staff'],
  ['/staff/sign-out', '/staff'],
  ['https://elsewhere.example/staff', '/staff'],
  ['//elsewhere.example/staff', '/staff'],
  [null, '/staff'],
])('after signing in %s leads to %s', (wanted, path) => {
  expect(staffPath(wanted)).toBe(path);
});
