import { type NotNull, sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import { roleGranted, roleTaken, signInsEnded } from '#app/emails/accounts.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';

import type { Moment } from '#app/http/academy.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { type Actor, requirePermission, type StaffActor } from './actor.ts';
import { endAccess, inviteStaff, removeStaff } from './commands.server.ts';
import type { Role } from './permissions.ts';
import type { Staff } from './queries.server.ts';
import { endAsks } from './sign-in-asks.server.ts';
import { endSignInsOf } from './sign-ins.server.ts';

type Granting = {
  person: { email: string; name: string };
  /** `teachesAs` is the slug of an instructor, for that role only. */
  granted: { role: Role; teachesAs?: string };
  actor: Actor;
  at: Date;
};

/**
 * Gives somebody a role as `inviteStaff` does, and mails every other owner if it is a new one or another instructor's
 * (P53): somebody who gets into the server or an owner's account cannot make themselves staff in silence.
 */
export async function grantRole(
  trx: Db,
  { person, granted, actor, at }: Granting,
  academy: MailAcademy,
): Promise<Staff> {
  const before = await heldRole(trx, person.email, granted.role);
  const staff = await inviteStaff(trx, person, { actor, at }, granted);
  if (before && before.instructor_slug === (granted.teachesAs ?? null)) return staff;
  const owners = await trx
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select('people.email')
    .where('role', '=', 'owner')
    .where('person_id', '<>', staff.id)
    .orderBy('people.id')
    .execute();
  for (const { email } of owners) {
    if (email === null) continue;
    await queueMail(trx, {
      kind: 'role-granted',
      about: { kind: 'person', id: staff.id },
      to: email,
      replyTo: academy.email,
      ...roleGranted({
        name: staff.name,
        email: staff.email,
        role: granted.role,
        by: actor.kind === 'staff' ? actor.person.name : 'the person who runs the server, by its command line',
        when: formatMoment(at),
        academy,
      }),
    });
  }
  return staff;
}

const heldRole = (trx: Db, email: string, role: Role) =>
  trx
    .selectFrom('staff_roles')
    .innerJoin('person_emails', 'person_emails.person_id', 'staff_roles.person_id')
    .select('instructor_slug')
    .where('person_emails.email', '=', email.toLowerCase())
    .where('role', '=', role)
    .executeTakeFirst();

type Doing = { personId: number; actor: StaffActor };

/**
 * Lets changes of roles follow each other, and throws `NotPermitted` for a person who has lost the role of an owner
 * since: of two owners who take each other's role at once, the second may not any more (P68).
 */
export async function lockRoles(trx: Trx, actor: StaffActor): Promise<void> {
  requirePermission(actor, 'staff:grant');
  await sql`lock table staff_roles in share row exclusive mode`.execute(trx);
  if (!(await hasRole(trx, actor.person.id, 'owner'))) throw new NotPermitted('staff:grant');
}

/**
 * Takes a role from a member of staff (P68), ends their sign-ins and links at once, and mails every owner. The last owner
 * keeps the role: nobody else could grant one.
 */
export async function takeRole(
  trx: Trx,
  { personId, actor, role }: Doing & { role: Role },
  { now, academy }: Pick<Moment, 'now' | 'academy'>,
): Promise<{ ok: true } | { ok: false; reason: 'not-held' | 'last-owner' }> {
  await lockRoles(trx, actor);
  const person = await findNamed(trx, personId);
  if (!person || !(await hasRole(trx, personId, role))) return { ok: false, reason: 'not-held' };
  const owners = await everyOwner(trx);
  if (role === 'owner' && owners.length === 1) return { ok: false, reason: 'last-owner' };
  await trx.deleteFrom('staff_roles').where('person_id', '=', personId).where('role', '=', role).execute();
  await endAccess(trx, personId);
  await writeAuditEntry(trx, {
    at: now,
    personId: actor.person.id,
    action: 'take-role',
    subject: `person:${personId}`,
    details: { role },
  });
  const taken = { personId, ...person, role, by: actor.person.name, when: formatMoment(now) };
  await tellOwners(trx, owners, taken, academy);
  return { ok: true };
}

/**
 * Takes every role from the member of staff with an address, as the command line does, and mails every owner: a person who
 * gets into the server cannot remove an owner in silence (P68).
 */
export async function takeEveryRole(
  trx: Trx,
  email: string,
  { actor, at }: { actor: Actor; at: Date },
  academy: MailAcademy,
): ReturnType<typeof removeStaff> {
  const owners = await everyOwner(trx);
  const held = await trx
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['person_id', 'role'])
    .where('people.email', '=', email.toLowerCase())
    .orderBy('role')
    .execute();
  const [first] = held;
  const person = first && (await findNamed(trx, first.person_id));
  const removed = await removeStaff(trx, email, { actor, at });
  if (!removed.ok || !first || !person) return removed;
  const role = held.map((one) => one.role).join(', ');
  const by = 'the person who runs the server, by its command line';
  await tellOwners(trx, owners, { personId: first.person_id, ...person, role, by, when: formatMoment(at) }, academy);
  return removed;
}

const everyOwner = (trx: Trx) =>
  trx
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['people.id', 'people.email'])
    .where('role', '=', 'owner')
    .orderBy('people.id')
    .execute();

type Taken = { personId: number } & Omit<Parameters<typeof roleTaken>[0], 'academy'>;

async function tellOwners(
  trx: Trx,
  owners: Awaited<ReturnType<typeof everyOwner>>,
  { personId, ...taken }: Taken,
  academy: MailAcademy,
): Promise<void> {
  for (const { email } of owners) {
    if (email === null) continue;
    await queueMail(trx, {
      kind: 'role-taken',
      about: { kind: 'person', id: personId },
      to: email,
      replyTo: academy.email,
      ...roleTaken({ ...taken, academy }),
    });
  }
}

/** Why an owner ends somebody's logins, as its mail says it after "because". Kept in the trace by its name. */
export const endReasons = {
  lost: 'your phone or computer was lost',
  asked: 'you asked us to',
  strange: 'we saw a login that may not be yours',
  left: 'you no longer work with us',
} as const;
export type EndReason = keyof typeof endReasons;

/** Ends all sign-ins and unused links of a person, staff or player, at once on every process, and mails them. */
export async function endLogins(
  trx: Trx,
  { personId, actor, reason }: Doing & { reason: EndReason },
  { now, academy }: Pick<Moment, 'now' | 'academy'>,
): Promise<{ ok: true } | { ok: false; reason: 'unknown' }> {
  requirePermission(actor, 'staff:grant');
  const person = await findNamed(trx, personId);
  if (!person) return { ok: false, reason: 'unknown' };
  await endSignInsOf(trx, personId);
  await endAsks(trx, personId);
  await writeAuditEntry(trx, {
    at: now,
    personId: actor.person.id,
    action: 'end-sign-ins',
    subject: `person:${personId}`,
    details: { reason },
  });
  await queueMail(trx, {
    kind: 'sign-ins-ended',
    about: { kind: 'person', id: personId },
    to: person.email,
    replyTo: academy.email,
    ...signInsEnded({ reason: endReasons[reason], when: formatMoment(now), academy }),
  });
  return { ok: true };
}

async function findNamed(db: Db, personId: number): Promise<{ name: string; email: string } | null> {
  const row = await db.selectFrom('people').select(['name', 'email']).where('id', '=', personId).executeTakeFirst();
  return row?.email ? { name: row.name ?? row.email, email: row.email } : null;
}

/** A member of staff with their roles, in the order in which they were granted. */
export type Member = {
  id: number;
  name: string;
  email: string;
  roles: { role: Role; teachesAs: string | null; since: Date; by: string | null }[];
};

/** Everybody who has a role, by name; with an id only that person. */
export async function readMembers(db: Db, actor: StaffActor, only?: number): Promise<Member[]> {
  requirePermission(actor, 'staff:read');
  const rows = await db
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'staff_roles.person_id')
    .leftJoin('people as granter', 'granter.id', 'granted_by')
    .leftJoin('instructors', 'instructors.slug', 'instructor_slug')
    .select(['people.id', 'people.name', 'people.email', 'role', 'granted_at', 'granter.name as by'])
    .select('instructors.name as teachesAs')
    .$narrowType<{ name: NotNull; email: NotNull }>()
    .$if(only !== undefined, (query) => query.where('people.id', '=', only ?? 0))
    .orderBy('people.name')
    .orderBy('people.id')
    .orderBy('granted_at')
    .orderBy('role')
    .execute();
  const groups = Map.groupBy(rows, ({ id }) => id);
  return [...groups.values()].flatMap((own): Member[] => {
    const [first] = own;
    if (!first) return [];
    const { id, name, email } = first;
    const roles = own.map(({ role, teachesAs, granted_at, by }) => ({
      role,
      teachesAs,
      since: granted_at,
      by,
    }));
    return [{ id, name, email, roles }];
  });
}

/** Whether a person has a role now. */
async function hasRole(db: Db, personId: number, role: Role): Promise<boolean> {
  const row = await db
    .selectFrom('staff_roles')
    .select('role')
    .where('person_id', '=', personId)
    .where('role', '=', role)
    .executeTakeFirst();
  return row !== undefined;
}

/** The instructors that a role can be for, by name. */
export async function readInstructors(db: Db, actor: StaffActor) {
  requirePermission(actor, 'staff:read');
  const all = db.selectFrom('instructors').select(['slug', 'name']).where('retired_at', 'is', null);
  return all.orderBy('name').execute();
}
