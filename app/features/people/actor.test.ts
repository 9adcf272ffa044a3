import { expect, test } from 'vitest';
import { onlyCourseDatesOf, type StaffActor } from './actor.ts';
import { permissionsOf, type Role } from './permissions.ts';

const actor = (...roles: Role[]): StaffActor => ({
  kind: 'staff',
  person: { id: 1, name: 'Ada' },
  roles,
  can: permissionsOf(roles),
  teachesAs: roles.includes('instructor') ? ['ada'] : [],
});

test('P68: two roles give no more than each of them: an instructor who edits texts too marks in their own classes only', () => {
  for (const permission of ['attendance:mark', 'attendees:read', 'exercises:mark', 'certificates:issue'] as const) {
    expect(onlyCourseDatesOf(actor('instructor', 'editor'), permission)).toEqual(['ada']);
    expect(onlyCourseDatesOf(actor('instructor', 'admissions'), permission)).toBeNull();
  }
  expect(onlyCourseDatesOf(actor('instructor', 'editor'))).toBeNull();
  // A reader sees all people, and marks nobody.
  expect(onlyCourseDatesOf(actor('instructor', 'reader'), 'attendees:read')).toBeNull();
  expect(onlyCourseDatesOf(actor('instructor', 'reader'), 'attendance:mark')).toEqual(['ada']);
});
