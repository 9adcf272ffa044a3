/** The permissions, as `area:verb` (P68). Each loader and action of a page for staff names one of these. */
const everything = [
  'todo:read',
  'enquiries:read',
  'enquiries:answer',
  'conversations:read',
  'conversations:answer',
  'bookings:read',
  'sessions:read',
  /** Without it, `sessions:read` is for the person's own sessions only. */
  'sessions:read-all',
  'sessions:change',
  'attendees:read',
  'attendance:mark',
  /** After the last day, with a reason. */
  'attendance:correct',
  'exercises:read',
  'exercises:mark',
  'certificates:read',
  /** Without `sessions:read-all`, of the person's own sessions only. */
  'certificates:issue',
  'certificates:revoke',
  'waiting:read',
  'waiting:change',
  'enrolments:read',
  'enrolments:change',
  'money:read',
  'money:record',
  'money:refund',
  'mail:read',
  'mail:send',
  'bowers:read',
  'bowers:hide',
  'faults:read',
  'faults:retry',
  /** Notes for colleagues. */
  'notes:write',
  /** Agreements on instalments. */
  'money:agree',
  'content:read',
  'content:change',
  /** Publishing, scheduling and retiring. */
  'content:publish',
  'staff:grant',
  'prices:read',
  'prices:change',
  'people:read',
  /** Rows of any list that the person may read, as a file. */
  'lists:export',
  'views:read',
  'views:save',
  /** Shows a saved view to everybody. */
  'views:share',
  /** Sees the roles of staff. */
  'staff:read',
  /** Sees the trace of all acts. */
  'trace:read',
  /** Files for the accountant. */
  'money:export',
  'reports:read',
  'inbox:read',
  /** Takes, gives, puts off and finishes what is in the inbox; answers have permissions of their own. */
  'inbox:work',
  /** Templates of answers, for everybody. */
  'templates:change',
] as const;
export type Permission = (typeof everything)[number];

export const roles = ['owner', 'admissions', 'editor', 'instructor', 'reader'] as const;
export type Role = (typeof roles)[number];

/** All permissions, in the order of the list. */
export const permissions: readonly Permission[] = everything;

/**
 * The permissions of each role. An editor moves no money; an instructor sees their own sessions; a reader changes
 * nothing.
 */
const permissionsOfRole: Record<Role, readonly Permission[]> = {
  owner: everything,
  admissions: everything.filter(
    (permission) => !['staff:grant', 'content:change', 'content:publish', 'prices:change'].includes(permission),
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
  reader: everything.filter((permission) => /:read(-all)?$/.test(permission)),
};

/** The roles that allow something. */
export const rolesWith = (permission: Permission): Role[] =>
  roles.filter((role) => permissionsOfRole[role].includes(permission));

/** The permissions of a person with these roles: all that any of them allows. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  return new Set(held.flatMap((role) => permissionsOfRole[role]));
}
