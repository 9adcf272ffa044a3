import { type Permission, permissionNames } from '#app/lib/permission-names.ts';

export type { Permission };

export const roles = ['owner', 'admissions', 'editor', 'instructor', 'reader'] as const;
export type Role = (typeof roles)[number];

/** All permissions, in the order of the list. */
export const permissions: readonly Permission[] = permissionNames;

/**
 * The permissions of each role (P68). An editor moves no money; an instructor sees their own course dates; a reader
 * changes nothing. A new permission is nobody's until its roles are written here.
 */
const rolesOfPermission: Record<Permission, readonly Role[]> = {
  'todo:read': ['owner', 'admissions', 'editor', 'instructor', 'reader'],
  'enquiries:read': ['owner', 'admissions', 'reader'],
  'enquiries:answer': ['owner', 'admissions'],
  'conversations:read': ['owner', 'admissions', 'reader'],
  'conversations:answer': ['owner', 'admissions'],
  'bookings:read': ['owner', 'admissions', 'reader'],
  'bookings:change': ['owner', 'admissions'],
  'course-dates:read': ['owner', 'admissions', 'editor', 'instructor', 'reader'],
  'course-dates:read-all': ['owner', 'admissions', 'editor', 'reader'],
  'course-dates:change': ['owner', 'admissions'],
  'attendees:read': ['owner', 'admissions', 'instructor', 'reader'],
  'attendance:mark': ['owner', 'admissions', 'instructor'],
  'attendance:correct': ['owner', 'admissions'],
  'exercises:read': ['owner', 'admissions', 'instructor', 'reader'],
  'exercises:mark': ['owner', 'admissions', 'instructor'],
  'certificates:read': ['owner', 'admissions', 'reader'],
  'certificates:issue': ['owner', 'admissions', 'instructor'],
  'certificates:revoke': ['owner', 'admissions'],
  'waiting:read': ['owner', 'admissions', 'reader'],
  'waiting:change': ['owner', 'admissions'],
  'enrolments:read': ['owner', 'admissions', 'reader'],
  'enrolments:change': ['owner', 'admissions'],
  'companies:read': ['owner', 'admissions', 'reader'],
  'companies:change': ['owner', 'admissions'],
  'money:read': ['owner', 'admissions', 'reader'],
  'money:record': ['owner', 'admissions'],
  'money:refund': ['owner', 'admissions'],
  'mail:read': ['owner', 'admissions', 'reader'],
  'mail:send': ['owner', 'admissions'],
  'faults:read': ['owner', 'admissions', 'reader'],
  'faults:retry': ['owner', 'admissions'],
  'notes:write': ['owner', 'admissions'],
  'money:agree': ['owner', 'admissions'],
  'content:read': ['owner', 'admissions', 'editor', 'reader'],
  'content:change': ['owner', 'editor'],
  'content:publish': ['owner', 'editor'],
  'settings:change': ['owner'],
  'staff:grant': ['owner'],
  'prices:read': ['owner', 'admissions', 'editor', 'reader'],
  'prices:change': ['owner'],
  'people:read': ['owner', 'admissions', 'reader'],
  'lists:export': ['owner', 'admissions'],
  'views:save': ['owner', 'admissions'],
  'staff:read': ['owner', 'admissions', 'reader'],
  'trace:read': ['owner', 'admissions', 'reader'],
  'money:export': ['owner', 'admissions'],
  'reports:read': ['owner', 'admissions', 'reader'],
  'inbox:read': ['owner', 'admissions', 'reader'],
  'inbox:work': ['owner', 'admissions'],
  'templates:change': ['owner', 'admissions'],
};

/** The roles that allow something. */
export const rolesWith = (permission: Permission): readonly Role[] => rolesOfPermission[permission];

/**
 * Whether a person with these roles may use a permission in all course dates. One role has to allow it: an instructor who edits
 * texts too sees every date, and marks in their own classes.
 */
export const mayEverywhere = (held: readonly Role[], permission: Permission): boolean =>
  held.some((role) =>
    [permission, 'course-dates:read-all' as const].every((one) => rolesOfPermission[one].includes(role)),
  );

/** The permissions of a person with these roles: those of all roles together. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  return new Set(permissions.filter((permission) => held.some((role) => rolesOfPermission[permission].includes(role))));
}
