import { NotPermitted } from '#app/lib/not-permitted.ts';
import { mayEverywhere, type Permission, type Role } from './permissions.ts';

/** A member of staff with their permissions (P68). */
export type StaffActor = {
  kind: 'staff';
  person: { id: number; name: string };
  roles: readonly Role[];
  can: ReadonlySet<Permission>;
  /** Slugs of the instructors that the person is. */
  teachesAs: readonly string[];
};

/**
 * The actor: staff; a buyer or visitor by a page or private link; or the program (jobs, card payments, the command
 * line).
 */
export type Actor = StaffActor | { kind: 'buyer' } | { kind: 'program' };

export const theBuyer: Actor = { kind: 'buyer' };
export const theProgram: Actor = { kind: 'program' };

/** The id of the person to record with an act; null for buyers and the program. */
export const personIdOf = (actor: Actor): number | null => (actor.kind === 'staff' ? actor.person.id : null);

/**
 * Throws `NotPermitted` for staff without the permission: the last guard of each command and query, behind the page's
 * own. The commands open to buyers and the program say themselves what these may do.
 */
export function requirePermission(actor: Actor, permission: Permission): void {
  if (actor.kind === 'staff' && !actor.can.has(permission)) throw new NotPermitted(permission);
}

/**
 * The instructors in whose course dates alone the person may use a permission, such as see them; null for all course dates (P68).
 */
export function onlyCourseDatesOf(
  actor: StaffActor,
  permission: Permission = 'course-dates:read',
): readonly string[] | null {
  requirePermission(actor, permission);
  return mayEverywhere(actor.roles, permission) ? null : actor.teachesAs;
}
