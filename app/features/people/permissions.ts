import { type Permission, permissionNames } from '#app/lib/permission-names.ts';

export type { Permission };

export const roles = ['owner', 'admissions', 'editor', 'instructor', 'reader'] as const;
export type Role = (typeof roles)[number];

/** All permissions, in the order of the list. */
export const permissions: readonly Permission[] = permissionNames;

/**
 * The permissions of each role. An editor moves no money; an instructor sees their own sessions; a reader changes
 * nothing.
 */
const permissionsOfRole: Record<Role, readonly Permission[]> = {
  owner: permissionNames,
  admissions: permissionNames.filter(
    (permission) =>
      !['staff:grant', 'content:change', 'content:publish', 'settings:change', 'prices:change'].includes(permission),
  ),
  editor: [
    'todo:read',
    'sessions:read',
    'sessions:read-all',
    'content:read',
    'content:change',
    'content:publish',
    'prices:read',
  ],
  instructor: [
    'todo:read',
    'sessions:read',
    'attendees:read',
    'attendance:mark',
    'exercises:read',
    'exercises:mark',
    'certificates:issue',
  ],
  reader: permissionNames.filter((permission) => /:read(-all)?$/.test(permission)),
};

/** The roles that allow something. */
export const rolesWith = (permission: Permission): Role[] =>
  roles.filter((role) => permissionsOfRole[role].includes(permission));

/**
 * Whether a person with these roles may use a permission in all sessions. One role has to allow it: an instructor who edits
 * texts too sees every date, and marks in their own classes.
 */
export const mayEverywhere = (held: readonly Role[], permission: Permission): boolean =>
  held.some((role) => [permission, 'sessions:read-all' as const].every((one) => permissionsOfRole[role].includes(one)));

/** The permissions of a person with these roles: all that any of them allows. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  return new Set(held.flatMap((role) => permissionsOfRole[role]));
}
