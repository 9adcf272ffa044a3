import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { Trx } from '#app/db/client.server.ts';
import { isInstructor } from '#app/features/catalogue/queries.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { mailStaffLink } from '#app/features/people/ask-to-sign-in.server.ts';
import { roles } from '#app/features/people/permissions.ts';
import type { Staff } from '#app/features/people/queries.server.ts';
import {
  type EndReason,
  endLogins,
  endReasons,
  grantRole,
  lockRoles,
  takeRole,
} from '#app/features/people/roles.server.ts';
import { signInContext } from '#app/features/people/sign-in-context.ts';
import {
  type ActDone,
  common,
  type Refused,
  type StaffFormResult,
  takeStaffAct,
} from '#app/features/people/staff-act.server.ts';
import { isFreshStaff } from '#app/features/people/staff-only.server.ts';
import { academyContext, type Moment } from '#app/http/academy.server.ts';
import { emailField, requiredLine } from '#app/http/form-texts.ts';

const role = z.enum(roles, 'Choose a role.');
const teachesAs = z.string().default('');
const reasons = Object.keys(endReasons) as [EndReason, ...EndReason[]];

const schema = z.discriminatedUnion('act', [
  z.object({
    ...common,
    act: z.literal('invite'),
    name: requiredLine('a name', 80),
    email: emailField,
    role,
    teachesAs,
  }),
  z.object({ ...common, act: z.literal('give'), role, teachesAs }),
  z.object({ ...common, act: z.literal('take'), role }),
  z.object({ ...common, act: z.literal('end'), reason: z.enum(reasons, 'Choose why.') }),
]);
type Sent = z.output<typeof schema>;

const refused = (fault: string): Refused => ({ ok: false, reason: 'refused', fault });
const done: ActDone = { ok: true, did: null };

type Taking = {
  form: FormData | null;
  actor: StaffActor;
  member: Staff | null;
  /** The person whose logins are ended, if not a member of staff. */
  personId?: number;
};

/**
 * Takes the forms about staff: invite, give and take a role, end all logins. Only within ten minutes of a sign-in
 * (P68). `member` is the member of staff whom the page is about; null on other pages, where only logins are ended.
 * Somebody who is invited gets a link by mail.
 */
export async function takeRoleForm(
  context: Readonly<RouterContextProvider>,
  { form, actor, member, personId = member?.id ?? 0 }: Taking,
): Promise<StaffFormResult> {
  const fresh = isFreshStaff(context);
  let invited: Staff | null = null;
  const result = await takeStaffAct<Sent>(context.get(academyContext), {
    form,
    schema,
    subject: personId > 0 ? `person:${personId}` : 'staff',
    actor,
    // Changes of roles follow each other, and each finds what there is then.
    compares: false,
    async act(trx, sent, moment) {
      if (!fresh) return refused('You signed in more than ten minutes ago. Sign in again first, then send this.');
      switch (sent.act) {
        case 'invite':
        case 'give': {
          const person = sent.act === 'invite' ? { name: sent.name, email: sent.email } : member;
          if (!person) return { ok: false, reason: 'missing' };
          const given = await give(trx, { person, sent, actor }, moment);
          if (!given.ok) return given;
          if (sent.act === 'invite') invited = given.staff;
          return done;
        }
        case 'take': {
          const taken = await takeRole(trx, { personId: member?.id ?? 0, actor, role: sent.role }, moment);
          if (taken.ok) return done;
          return taken.reason === 'last-owner'
            ? refused(
                'This is the last owner, so nobody could give anybody a role any more. Make somebody else an owner first.',
              )
            : refused('They do not have this role any more.');
        }
        case 'end': {
          const ended = await endLogins(trx, { personId, actor, reason: sent.reason }, moment);
          return ended.ok ? done : { ok: false, reason: 'missing' };
        }
      }
    },
  });
  if (result.ok && invited) await mailStaffLink(context.get(signInContext), invited);
  return result;
}

type Giving = {
  person: { name: string; email: string };
  sent: Extract<Sent, { act: 'invite' | 'give' }>;
  actor: StaffActor;
};

async function give(
  trx: Trx,
  { person, sent, actor }: Giving,
  { now, academy }: Moment,
): Promise<{ ok: true; staff: Staff } | Refused> {
  await lockRoles(trx, actor);
  if ((sent.role === 'instructor') !== (sent.teachesAs !== '')) {
    const text = sent.teachesAs ? 'Only an instructor teaches as somebody.' : 'Choose which instructor they are.';
    return { ok: false, reason: 'refused', errors: { teachesAs: text } };
  }
  if (sent.teachesAs && !(await isInstructor(trx, sent.teachesAs)))
    return { ok: false, reason: 'refused', errors: { teachesAs: 'There is no such instructor.' } };
  const granted = { role: sent.role, ...(sent.teachesAs && { teachesAs: sent.teachesAs }) };
  return { ok: true, staff: await grantRole(trx, { person, granted, actor, at: now }, academy) };
}
