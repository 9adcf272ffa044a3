/** The permissions, as `area:verb` (P68). Each loader and action of a page for staff names one of these. */
export const permissionNames = [
  'todo:read',
  'enquiries:read',
  'enquiries:answer',
  'conversations:read',
  'conversations:answer',
  'bookings:read',
  'bookings:change',
  'course-dates:read',
  /** Without it, `course-dates:read` is for the person's own course dates only. */
  'course-dates:read-all',
  'course-dates:change',
  'attendees:read',
  'attendance:mark',
  /** After the last day, with a reason. */
  'attendance:correct',
  'exercises:read',
  'exercises:mark',
  'certificates:read',
  /** Without `course-dates:read-all`, of the person's own course dates only. */
  'certificates:issue',
  'certificates:revoke',
  'waiting:read',
  'waiting:change',
  'enrolments:read',
  'enrolments:change',
  'companies:read',
  'companies:change',
  'money:read',
  'money:record',
  'money:refund',
  'mail:read',
  'mail:send',
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
  /** Publishes what money and personal data depend on: bank account, ABN, legal name, how long data is kept. */
  'settings:change',
  'staff:grant',
  'prices:read',
  'prices:change',
  'people:read',
  /** Rows of any list that the person may read, as a file. */
  'lists:export',
  'views:save',
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
export type Permission = (typeof permissionNames)[number];
