import type { Db } from '#app/db/client.server.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import type { StaffActor } from './actor.ts';
import { type CookieMaker, cookieIn } from './cookies.server.ts';
import { readActor } from './queries.server.ts';
import type { SignInServices } from './sign-in-context.ts';

/** The audience of a sign-in: one for players never opens pages for staff, nor the other way round (P52). */
export type Audience = 'player' | 'staff';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long a sign-in lasts without use, and at most, in milliseconds; and the cookie that has its token. */
export const lasting: Record<Audience, { cookie: string; idleMs: number; longestMs: number }> = {
  player: { cookie: 'player', idleMs: 30 * day, longestMs: 180 * day },
  staff: { cookie: 'sign-in', idleMs: 12 * hour, longestMs: 7 * day },
};
/** How long staff may take for the second step. */
const pendingMs = 15 * minute;
/** How often the use of a sign-in is written down at most. */
const noteUseMs = 10 * minute;
/** How long a sign-in counts as fresh (P54). */
const freshMs = 10 * minute;
/** How far the clocks of two processes may differ. */
export const clockDriftMs = minute;

/** The second step of staff (P53): to type a code of the app, or to set the app up. */
export type Step = 'factor' | 'set-up';

export type SignIn = {
  id: number;
  personId: number;
  audience: Audience;
  /** The step still to come, and where to lead after it; null when the person is signed in. */
  pending: { step: Step; to: string } | null;
  provedAt: Date;
};

/** The token of a sign-in that a request was sent with; an empty text when there is none. */
export const tokenIn = (headers: Headers, audience: Audience, cookies: CookieMaker): string =>
  cookieIn(headers, cookies.nameOf(lasting[audience].cookie));

/**
 * The cookies of a sign-in; the readable one of players has no content and only says that there is something to ask for
 * (P55).
 */
export function signInCookies(audience: Audience, token: string, cookies: CookieMaker): string[] {
  const { cookie, idleMs } = lasting[audience];
  const own = cookies.set(cookie, token, idleMs / 1000);
  return audience === 'player' ? [own, cookies.setReadable('signed-in', '1', idleMs / 1000)] : [own];
}

/** Takes the cookies of a sign-in away. */
export function noSignInCookies(audience: Audience, cookies: CookieMaker): string[] {
  const own = cookies.set(lasting[audience].cookie, '', 0);
  return audience === 'player' ? [own, cookies.setReadable('signed-in', '', 0)] : [own];
}

/** Makes a sign-in with a token of its own, which is returned (no token from before is ever taken over). */
export async function beginSignIn(
  trx: Db,
  begun: Pick<SignIn, 'personId' | 'audience' | 'pending'> & { browser: string; at: Date },
): Promise<string> {
  const { personId, audience, pending, browser, at } = begun;
  const token = makeToken();
  await trx
    .insertInto('sign_ins')
    .values({
      person_id: personId,
      audience,
      browser,
      awaits: pending?.step ?? null,
      leads_to: pending?.to ?? null,
      ...begunAt(token, at, pending ? { idleMs: pendingMs, longestMs: pendingMs } : lasting[audience]),
    })
    .execute();
  return token;
}

/** Completes the second step of a sign-in, which goes on under a new token; returns the token. */
export async function completeSignIn(trx: Db, { id, audience }: SignIn, at: Date): Promise<string> {
  const token = makeToken();
  await trx
    .updateTable('sign_ins')
    .set({ awaits: null, leads_to: null, ...begunAt(token, at, lasting[audience]) })
    .where('id', '=', id)
    .execute();
  return token;
}

const begunAt = (token: string, at: Date, { idleMs, longestMs }: { idleMs: number; longestMs: number }) => ({
  token_hash: hashOfToken(token),
  created_at: at,
  used_at: at,
  proved_at: at,
  idle_until: new Date(at.getTime() + idleMs),
  ends_at: new Date(at.getTime() + longestMs),
});

/**
 * The sign-in with a token; null when it has ended, was never there, is for another audience, or was made by a clock
 * that is ahead of ours. It is read from the database each time, so that one that was ended is ended on every process.
 */
export async function readSignIn(
  db: Db,
  { token, audience, at }: { token: string; audience: Audience; at: Date },
): Promise<{ signIn: SignIn; usedAt: Date; idleUntil: Date } | null> {
  if (token === '') return null;
  const row = await db
    .selectFrom('sign_ins')
    .selectAll()
    .where('token_hash', '=', hashOfToken(token))
    .where('audience', '=', audience)
    .where('created_at', '<=', new Date(at.getTime() + clockDriftMs))
    .where('idle_until', '>', at)
    .where('ends_at', '>', at)
    .executeTakeFirst();
  if (!row) return null;
  const { id, person_id: personId, awaits, leads_to: to, proved_at: provedAt } = row;
  const pending = awaits === null || to === null ? null : { step: awaits as Step, to };
  return { signIn: { id, personId, audience, pending, provedAt }, usedAt: row.used_at, idleUntil: row.idle_until };
}

/**
 * The same as `readSignIn`, but records the use now and then. `used` is true when it did: then the cookie is to be sent
 * again.
 */
export async function findSignIn(
  db: Db,
  asked: { token: string; audience: Audience; at: Date },
): Promise<{ signIn: SignIn; used: boolean } | null> {
  const found = await readSignIn(db, asked);
  if (!found) return null;
  const { signIn, usedAt, idleUntil } = found;
  const at = asked.at.getTime();
  const used = !signIn.pending && at - usedAt.getTime() >= noteUseMs;
  if (used) {
    const later = new Date(Math.max(at + lasting[asked.audience].idleMs, idleUntil.getTime()));
    await db
      .updateTable('sign_ins')
      .set({ used_at: asked.at, idle_until: later })
      .where('id', '=', signIn.id)
      .execute();
  }
  return { signIn, used };
}

/** Whether the person showed all that is asked for within the last ten minutes (P54). */
export function isFresh({ provedAt }: Pick<SignIn, 'provedAt'>, at: Date): boolean {
  const age = at.getTime() - provedAt.getTime();
  return age >= -clockDriftMs && age < freshMs;
}

/**
 * Makes changes of how a person signs in wait for each other, and sign-ins wait for them. Returns the main address; null
 * for nobody.
 */
export async function lockPerson(trx: Db, personId: number): Promise<string | null> {
  const people = trx.selectFrom('people').select('email').where('id', '=', personId);
  return (await people.forNoKeyUpdate().executeTakeFirst())?.email ?? null;
}

/** Ends the sign-in with a token. */
export async function endSignIn(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sign_ins').where('token_hash', '=', hashOfToken(token)).execute();
}

/** Ends a person's sign-ins, as a player and as staff, but for those of the browser given. */
export async function endSignInsOf(trx: Db, personId: number, but: readonly number[] = []): Promise<void> {
  await trx
    .deleteFrom('sign_ins')
    .where('person_id', '=', personId)
    .where('id', 'not in', [0, ...but])
    .execute();
}

/** Forgets sign-ins that ended. */
export async function forgetSignIns(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom('sign_ins')
    .where(({ or, eb }) => or([eb('idle_until', '<=', at), eb('ends_at', '<=', at)]))
    .execute();
}

type Services = Pick<SignInServices, 'db' | 'clock' | 'cookies'>;

/** The sign-in a request was sent with, with its second step or before it; `cookies` is what the answer changes in the browser. */
export async function findSignedIn(
  { db, clock, cookies }: Services,
  audience: Audience,
  headers: Headers,
): Promise<{ signIn: SignIn | null; cookies: string[] }> {
  const token = tokenIn(headers, audience, cookies);
  if (token === '') return { signIn: null, cookies: [] };
  const found = await findSignIn(db, { token, audience, at: clock.now() });
  if (!found) return { signIn: null, cookies: noSignInCookies(audience, cookies) };
  return { signIn: found.signIn, cookies: found.used ? signInCookies(audience, token, cookies) : [] };
}

/** Which member of staff sent a request; null for nobody who is signed in and staff now. */
export async function findStaffSignedIn(
  services: Services,
  headers: Headers,
): Promise<{ actor: StaffActor | null; signIn: SignIn | null; cookies: string[] }> {
  const { signIn, cookies } = await findSignedIn(services, 'staff', headers);
  if (!signIn || signIn.pending) return { actor: null, signIn, cookies };
  const actor = await readActor(services.db, signIn.personId);
  return actor
    ? { actor, signIn, cookies }
    : { actor: null, signIn: null, cookies: await signOut(services, 'staff', headers) };
}

/** Ends the sign-in a request was sent with. */
export async function signOut({ db, cookies }: Services, audience: Audience, headers: Headers): Promise<string[]> {
  const token = tokenIn(headers, audience, cookies);
  if (token !== '') await endSignIn(db, token);
  return noSignInCookies(audience, cookies);
}
