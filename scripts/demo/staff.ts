import { Secret, TOTP } from 'otpauth';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { type StaffActor, theProgram } from '#app/features/people/actor.ts';
import { askToSignIn, mailAskedLinks, mailStaffLink } from '#app/features/people/ask-to-sign-in.server.ts';
import { confirmTotp, prepareTotp } from '#app/features/people/factors.server.ts';
import type { Role } from '#app/features/people/permissions.ts';
import { findStaff, readActor } from '#app/features/people/queries.server.ts';
import { grantRole } from '#app/features/people/roles.server.ts';
import type { SignInServices } from '#app/features/people/sign-in-context.ts';
import { trueTime } from '#app/lib/clock.ts';
import { opened } from '#app/lib/sealed.server.ts';
import type { Team } from './stage.ts';

const addressOf = (who: string) => `${who}@staff.bowerbird.example`;

/** The members of staff, by the name of the link that signs them in. */
const people = [
  { who: 'owner', role: 'owner', name: 'Helen Marsh' },
  { who: 'admissions', role: 'admissions', name: 'Jacinta Doyle' },
  { who: 'editor', role: 'editor', name: 'Ben Tran' },
  { who: 'reader', role: 'reader', name: 'Ruth Ellery' },
] as const;

/** Invites the team, all instructors among it, and gives each a second factor. */
export async function inviteTeam(services: SignInServices): Promise<Team> {
  const { db } = services;
  const at = services.clock.now();
  const team = new Map<string, StaffActor>();
  for (const { who, role, name } of people) {
    team.set(who, await invite(db, { email: addressOf(who), name }, { role }, services.academy(), at));
  }
  const instructors = new Map<string, StaffActor>();
  const rows = await db.selectFrom('instructors').select(['slug', 'name']).where('retired_at', 'is', null).execute();
  for (const { slug, name } of rows) {
    const granted = { role: 'instructor', teachesAs: slug } as const;
    instructors.set(slug, await invite(db, { email: addressOf(slug), name }, granted, services.academy(), at));
  }
  const [owner, admissions, editor] = ['owner', 'admissions', 'editor'].map((who) => team.get(who));
  if (!owner || !admissions || !editor) throw new Error('somebody was not invited');
  return { owner, admissions, editor, instructors };
}

async function invite(
  db: Db,
  person: { email: string; name: string },
  granted: { role: Role; teachesAs?: string },
  academy: MailAcademy,
  at: Date,
): Promise<StaffActor> {
  return db.transaction().execute(async (trx) => {
    const staff = await grantRole(trx, { person, granted, actor: theProgram, at }, academy);
    const actor = await readActor(trx, staff.id);
    if (!actor) throw new Error(`${person.email} has no role`);
    return actor;
  });
}

export type SignInLink = { who: string; name: string; link: string; code: string | null };

/**
 * A link for each role, for a player and for a manager of an organisation, which signs in once within 15 minutes, and for
 * staff a code in place of the second step. `instructor` is a slug, the others are email addresses; null leaves one out.
 */
export async function makeSignInLinks(
  services: SignInServices,
  { instructor, player, manager }: { instructor: string; player: string | null; manager: string | null },
): Promise<SignInLink[]> {
  const links: SignInLink[] = [];
  const wanted = [
    ...people.map(({ who }) => ({ who, email: addressOf(who) })),
    { who: 'instructor', email: addressOf(instructor) },
  ];
  for (const { who, email } of wanted) {
    const staff = await findStaff(services.db, email);
    if (!staff) throw new Error(`${email} is not staff`);
    const code = await secondStep(services, staff.id);
    links.push({ who, name: staff.name, link: await mailStaffLink(services, staff), code });
  }
  if (player !== null) links.push(await accountLink(services, { who: 'player', email: player, to: '/account' }));
  if (manager !== null) links.push(await accountLink(services, { who: 'manager', email: manager, to: '/company' }));
  return links;
}

async function accountLink(
  services: SignInServices,
  { who, email, to }: { who: string; email: string; to: string },
): Promise<SignInLink> {
  await askToSignIn(services, { audience: 'player', email, to, from: '127.0.0.1' });
  await mailAskedLinks(services);
  const { body_text } = await services.db
    .selectFrom('mails')
    .select('body_text')
    .where('recipient', '=', email)
    .orderBy('queued_at', 'desc')
    .executeTakeFirstOrThrow();
  const [link = ''] = /https?:\/\/\S+token=\S+/.exec(body_text) ?? [];
  return { who, name: email, link, code: null };
}

/** Sets a second factor up as its owner would, with an app; returns one of the recovery codes. */
async function secondStep(services: SignInServices, personId: number): Promise<string> {
  const { db, clock } = services;
  return db.transaction().execute(async (trx) => {
    await trx.deleteFrom('totp_keys').where('person_id', '=', personId).execute();
    await prepareTotp(trx, services.seedKey, personId);
    const { secret } = await trx
      .selectFrom('totp_keys')
      .select('secret')
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow();
    const totp = new TOTP({
      secret: Secret.fromBase32(opened(services.seedKey, secret)),
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    });
    const code = totp.generate({ timestamp: trueTime(clock).getTime() });
    const confirmed = await confirmTotp(trx, services, { personId, code });
    if (!confirmed.ok) throw new Error('the second factor could not be set up');
    return confirmed.recoveryCodes[0] ?? '';
  });
}
