import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { roleGranted } from '#app/emails/role-granted.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { Actor } from './actor.ts';
import { inviteStaff } from './commands.server.ts';
import type { Role } from './permissions.ts';
import type { Staff } from './queries.server.ts';

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
