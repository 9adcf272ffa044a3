import { expect, test } from 'vitest';
import { permissions, permissionsOf, type Role, rolesWith } from './permissions.ts';

test('P68: what decides about staff, prices and the bank account is for owners only', () => {
  for (const permission of ['staff:grant', 'settings:change', 'prices:change'] as const) {
    expect([permission, rolesWith(permission)]).toEqual([permission, ['owner']]);
  }
});

test('P68: an editor moves no money, nor do instructors and readers, and admissions publish no texts', () => {
  const mayNot: [Role, RegExp][] = [
    ['editor', /^(money|enrolments|companies|people|attendees|mail|inbox|trace|staff|attendance|waiting):/],
    ['instructor', /^(money|enrolments|companies|people|mail|inbox|trace|staff|prices|waiting|content):|:read-all$/],
    ['reader', /:(?!read$|read-all$)/],
    ['admissions', /^(content|prices|settings):(?!read$)|^staff:grant$/],
  ];
  for (const [role, forbidden] of mayNot) {
    expect([role, [...permissionsOf([role])].filter((permission) => forbidden.test(permission))]).toEqual([role, []]);
  }
});

test('P68: owners may everything', () => {
  expect([...permissionsOf(['owner'])]).toEqual(permissions);
});
