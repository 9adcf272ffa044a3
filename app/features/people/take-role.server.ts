import { sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db, Trx } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { roleTaken } from '#app/emails/role-taken.ts';
import { signInsEnded } from '#app/emails/sign-ins-ended.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { type Actor, requirePermission, type StaffActor } from './actor.ts';
import { endAccess, removeStaff } from './commands.server.ts';
import { hasRole } from './members.server.ts';
import type { Role } from './permissions.ts';
import { endAsks } from './sign-in-asks.server.ts';
import { endSignInsOf } from './sign-ins.server.ts';

type Doing = { personId: number; actor: StaffActor };

/**
 * Makes changes of roles follow each other, and throws `NotPermitted` for a person who lost the role of an owner meanwhile: of
 * two owners who take each other's role at once, the second may not any more (P68).
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
