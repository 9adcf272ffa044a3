/** What a role can allow, as `area:verb` (P68). Each loader and action of a page for staff names one of these. */
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
  'staff:grant',
] as const;
export type Permission = (typeof everything)[number];

export const roles = ['owner', 'admissions', 'editor', 'instructor', 'reader'] as const;
export type Role = (typeof roles)[number];

/** Who may do what. An editor moves no money; an instructor sees their own sessions; a reader changes nothing. */
const permissionsOfRole: Record<Role, readonly Permission[]> = {
  owner: everything,
  admissions: everything.filter((permission) => permission !== 'staff:grant'),
  editor: ['todo:read', 'sessions:read', 'sessions:read-all'],
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

/** What somebody with these roles may do: all that any of them allows. */
export function permissionsOf(held: readonly Role[]): ReadonlySet<Permission> {
  return new Set(held.flatMap((role) => permissionsOfRole[role]));
}
