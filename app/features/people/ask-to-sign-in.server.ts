import { createHmac, randomInt } from 'node:crypto';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { signInLink } from '#app/emails/accounts.ts';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { emailAddressOf } from '#app/lib/email-address.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { findStaff, type Staff } from './queries.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import type { Audience } from './sign-ins.server.ts';

/** How long a link to sign in may be used, and a code, from when it was asked for (P51). */
export const linkMinutes = 15;
export const signInCodeMinutes = 10;
/** The address, network and browser of a request to sign in. */
type Asking = { audience: Audience; email: string; to: string; from: string };
type Mailing = Pick<SignInServices, 'db' | 'academy' | 'clock' | 'secret'>;

/**
 * Records a request to sign in; `mailAskedLinks` mails a link and a code. The work and the result here are the same for
 * every address, so that nobody learns who is staff or has an account. Too many requests from one network are refused.
 * `browser` is the secret to keep in a cookie, by which the code works in this browser only.
 */
export async function askToSignIn(
  services: SignInServices,
  { audience, email, to, from }: Asking,
): Promise<
  | { ok: true; browser: string }
  | { ok: false; reason: 'not-an-address' }
  | { ok: false; reason: 'too-many'; waitMs: number }
> {
  const asked = emailAddressOf(email.trim())?.toLowerCase();
  if (!asked) return { ok: false, reason: 'not-an-address' };
  const at = services.clock.now();
  const browser = makeToken();
  const room = await services.db.transaction().execute(async (trx) => {
    const kind = audience === 'staff' ? 'staff-sign-in' : 'player-sign-in';
    const asking = await askForMail(trx, { limit: services.limit, kind, to: asked, from }, at);
    if (!asking.ok) return asking;
    await asking.count();
    await trx
      .insertInto('sign_in_asks')
      .values({ audience, email: asked, browser_hash: hashOfToken(browser), leads_to: to, asked_at: at })
      .execute();
    return asking;
  });
  return room.ok ? { ok: true, browser } : { ok: false, reason: 'too-many', waitMs: room.waitMs };
}

/**
 * The periodic job: mails link and code to the addresses that were given, for staff only to those of staff. It forgets
 * what is too old to be used. Returns how many mails it queued.
 */
export async function mailAskedLinks(services: Mailing): Promise<number> {
  const { db, clock } = services;
  const at = clock.now();
  await db
    .deleteFrom('sign_in_asks')
    .where('asked_at', '<=', new Date(at.getTime() - linkMinutes * 60_000))
    .execute();
  const asks = db.selectFrom('sign_in_asks').select('id').where('taken', '=', false);
  const items = await asks.orderBy('id').limit(limitOf(job, 100)).execute();
  const keyOf = ({ id }: { id: number }) => `sign-in-ask:${id}`;
  return eachItem(db, { job, items, keyOf, at }, async (trx, { id }) => {
    const ask = await trx
      .updateTable('sign_in_asks')
      .set({ taken: true })
      .where('id', '=', id)
      .where('taken', '=', false)
      .returning(['id', 'audience', 'email', 'asked_at'])
      .executeTakeFirst();
    if (!ask) return false;
    const personId = await personToMail(trx, ask);
    if (personId === 'nobody') return false;
    await mailSecrets(trx, services, { ask, personId, withCode: true });
    return true;
  });
}

const job = 'send links to sign in';

/** The person who gets the mail; null for an address without a person: a player's account begins so. */
async function personToMail(
  trx: Db,
  { audience, email }: { audience: Audience; email: string },
): Promise<number | null | 'nobody'> {
  if (audience === 'staff') return (await findStaff(trx, email))?.id ?? 'nobody';
  const known = await trx.selectFrom('person_emails').select('person_id').where('email', '=', email).executeTakeFirst();
  return known?.person_id ?? null;
}

type Ask = { id: number; audience: Audience; email: string; asked_at: Date };

/** Makes the secrets of a mail, stores their hashes, queues it and returns the link. */
async function mailSecrets(
  trx: Db,
  { academy, secret }: Mailing,
  { ask, personId, withCode }: { ask: Ask; personId: number | null; withCode: boolean },
): Promise<string> {
  const token = makeToken();
  const code = withCode ? String(randomInt(1_000_000)).padStart(6, '0') : null;
  await trx
    .updateTable('sign_in_asks')
    .set({ link_hash: hashOfToken(token), code_hash: code && hashOfCode(secret, ask.id, code) })
    .where('id', '=', ask.id)
    .execute();
  const path = ask.audience === 'staff' ? href('/staff/sign-in/confirm') : href('/login/link');
  const link = `${academy().url}${path}?token=${token}`;
  await queueMail(trx, {
    kind: 'sign-in-link',
    about: personId === null ? 'nothing' : { kind: 'person', id: personId },
    secret: true,
    to: ask.email,
    replyTo: academy().email,
    staleAfter: new Date(ask.asked_at.getTime() + linkMinutes * 60_000),
    ...signInLink({
      audience: ask.audience,
      link,
      minutes: linkMinutes,
      code,
      codeMinutes: signInCodeMinutes,
      academy: academy(),
    }),
  });
  return link;
}

/** Under the program's secret: somebody who reads only the table could try all million codes in no time. */
export const hashOfCode = (secret: string, askId: number, code: string): string =>
  createHmac('sha256', secret).update(`sign-in-code:${askId}:${code}`).digest('base64url');

/** Makes a link by which a member of staff signs in, mails it and returns it; for the command line. */
export function mailStaffLink(services: Mailing, staff: Staff): Promise<string> {
  return services.db.transaction().execute(async (trx) => {
    const ask = await trx
      .insertInto('sign_in_asks')
      .values({
        audience: 'staff',
        email: staff.email,
        // No browser asked, so no code works.
        browser_hash: hashOfToken(makeToken()),
        leads_to: href('/staff'),
        asked_at: services.clock.now(),
        taken: true,
      })
      .returning(['id', 'email', 'asked_at'])
      .executeTakeFirstOrThrow();
    return mailSecrets(trx, services, { ask: { ...ask, audience: 'staff' }, personId: staff.id, withCode: false });
  });
}
