import type { Db } from '#app/db/client.server.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { type CookieMaker, cookieIn } from './cookies.server.ts';

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
/** How long a person may take to show or set up the second factor. */
const awaitingMs = 15 * minute;
/** How often the use of a sign-in is written down at most. */
const noteUseMs = 10 * minute;
/** How long a sign-in counts as fresh (P54). */
const freshMs = 10 * minute;
/** How far the clocks of two processes may differ. */
const clockDriftMs = minute;

/** The missing step of a sign-in: the second factor, or setting one up; null when the person is signed in. */
export type Awaits = 'factor' | 'set-up' | null;

export type SignIn = {
  id: number;
  personId: number;
  audience: Audience;
  awaits: Awaits;
  leadsTo: string;
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
  begun: { personId: number; audience: Audience; awaits: Awaits; leadsTo: string; browser: string; at: Date },
): Promise<string> {
  const { personId, audience, awaits, leadsTo, browser, at } = begun;
  const token = makeToken();
  await trx
    .insertInto('sign_ins')
    .values({
      token_hash: hashOfToken(token),
      person_id: personId,
      audience,
      awaits,
      leads_to: leadsTo,
      browser,
      created_at: at,
      used_at: at,
      proved_at: at,
      ...endsOf(audience, awaits, at),
    })
    .execute();
  return token;
}

/** Completes the missing step of a sign-in, which goes on under a new token; returns the token. */
export async function completeSignIn(trx: Db, { id, audience }: SignIn, at: Date): Promise<string> {
  const token = makeToken();
  await trx
    .updateTable('sign_ins')
    .set({
      token_hash: hashOfToken(token),
      awaits: null,
      created_at: at,
      used_at: at,
      proved_at: at,
      ...endsOf(audience, null, at),
    })
    .where('id', '=', id)
    .execute();
  return token;
}

function endsOf(audience: Audience, awaits: Awaits, at: Date) {
  const { idleMs, longestMs } = lasting[audience];
  const [idle, longest] = awaits ? [awaitingMs, awaitingMs] : [idleMs, longestMs];
  return { idle_until: new Date(at.getTime() + idle), ends_at: new Date(at.getTime() + longest) };
}

/**
 * The sign-in with a token; null when it has ended, was never there, is for another audience, or was made by a clock
 * that is ahead of ours. It is read from the database each time, so that one that was ended is ended on every process.
 * `used` says that its use was written down, after which the cookie is to be given anew.
 */
export async function findSignIn(
  db: Db,
  { token, audience, at }: { token: string; audience: Audience; at: Date },
): Promise<{ signIn: SignIn; used: boolean } | null> {
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
  const awaits = row.awaits as Awaits;
  const used = !awaits && at.getTime() - row.used_at.getTime() >= noteUseMs;
  if (used) {
    const idleUntil = at.getTime() + lasting[audience].idleMs;
    await db
      .updateTable('sign_ins')
      .set({ used_at: at, idle_until: new Date(Math.max(idleUntil, row.idle_until.getTime())) })
      .where('id', '=', row.id)
      .execute();
  }
  const { id, person_id: personId, leads_to: leadsTo, proved_at: provedAt } = row;
  return { signIn: { id, personId, audience, awaits, leadsTo, provedAt }, used };
}

/** Whether the person showed all that is asked for within the last ten minutes (P54). */
export function isFresh({ provedAt }: Pick<SignIn, 'provedAt'>, at: Date): boolean {
  const age = at.getTime() - provedAt.getTime();
  return age >= -clockDriftMs && age < freshMs;
}

/** Ends the sign-in with a token. */
export async function endSignIn(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sign_ins').where('token_hash', '=', hashOfToken(token)).execute();
}

/** Ends a person's sign-ins at both doors, but for the one given. */
export async function endSignInsOf(trx: Db, personId: number, but?: number): Promise<void> {
  await trx
    .deleteFrom('sign_ins')
    .where('person_id', '=', personId)
    .$if(but !== undefined, (query) => query.where('id', '<>', but ?? 0))
    .execute();
}

/** Forgets sign-ins that ended. */
export async function forgetSignIns(db: Db, at: Date): Promise<void> {
  await db
    .deleteFrom('sign_ins')
    .where(({ or, eb }) => or([eb('idle_until', '<=', at), eb('ends_at', '<=', at)]))
    .execute();
}
