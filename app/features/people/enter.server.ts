import { sql } from 'kysely';
import { href } from 'react-router';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { askLimits } from '#app/http/form-limit.server.ts';
import { hashOfToken, isSameSecret } from '#app/lib/private-token.server.ts';
import { verifyAddress } from './addresses.server.ts';
import { hashOfCode, linkMinutes, signInCodeMinutes } from './ask-to-sign-in.server.ts';
import { browserWords } from './browser-words.ts';
import { hasApp, prepareTotp } from './factors.server.ts';
import { takePasskey } from './passkeys.server.ts';
import { readActor } from './queries.server.ts';
import { endAsks } from './sign-in-asks.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import {
  type Audience,
  beginSignIn,
  clockDriftMs,
  completeSignIn,
  endSignIn,
  lockPerson,
  type SignIn,
  type Step,
  signInCookies,
  tokenIn,
} from './sign-ins.server.ts';

const mostTries = 5;

/** The pages of the second step of staff. */
export const stepPaths: Record<Step, string> = {
  factor: href('/staff/sign-in/factor'),
  'set-up': href('/staff/sign-in/set-up'),
};

/** A person who was let in: the address to go on to, and the cookies of the sign-in. */
type Entered = { ok: true; to: string; cookies: string[] };

/** A request to sign in, as shown to the browser that made it; null when it has ended. */
export async function findAsk(
  { db, clock }: Pick<SignInServices, 'db' | 'clock'>,
  audience: Audience,
  browser: string,
): Promise<{ id: number; email: string; triesLeft: number; to: string } | null> {
  if (browser === '') return null;
  const ask = await db
    .selectFrom('sign_in_asks')
    .select(['id', 'email', 'tries', 'leads_to'])
    .where('browser_hash', '=', hashOfToken(browser))
    .where('audience', '=', audience)
    .where('asked_at', '>', new Date(clock.now().getTime() - linkMinutes * 60_000))
    .executeTakeFirst();
  return ask ? { id: ask.id, email: ask.email, triesLeft: mostTries - ask.tries, to: ask.leads_to } : null;
}

/** Signs in by the secret of a link, once: of several presses at once exactly one wins (P51). */
export function enterByLink(
  services: SignInServices,
  { audience, token, headers }: { audience: Audience; token: string; headers: Headers },
): Promise<Entered | { ok: false }> {
  const at = services.clock.now();
  return services.db.transaction().execute(async (trx) => {
    const ask = await trx
      .deleteFrom('sign_in_asks')
      .where('link_hash', '=', hashOfToken(token))
      .where('audience', '=', audience)
      .where('asked_at', '>', new Date(at.getTime() - linkMinutes * 60_000))
      .where('asked_at', '<=', new Date(at.getTime() + clockDriftMs))
      .returning(['email', 'leads_to'])
      .executeTakeFirst();
    return ask ? enterByMail(trx, services, { audience, headers, email: ask.email, to: ask.leads_to }) : { ok: false };
  });
}

type CodeTried =
  | Entered
  | { ok: false; reason: 'wrong'; triesLeft: number }
  | { ok: false; reason: 'none' | 'no-codes' };

/**
 * Signs in by the code of a mail, in the browser that asked for it (P51). A code ends after five wrong ones or ten
 * minutes. After twenty wrong codes for an address in a day no code is accepted until the day is over (`no-codes`), so
 * that nobody finds one by asking again and again; links still work. An address without mail gets the same answers.
 */
export function enterByCode(
  services: SignInServices,
  { audience, browser, code, headers }: { audience: Audience; browser: string; code: string; headers: Headers },
): Promise<CodeTried> {
  const at = services.clock.now();
  return services.db.transaction().execute(async (trx): Promise<CodeTried> => {
    const ask = await trx
      .selectFrom('sign_in_asks')
      .select(['id', 'email', 'tries', 'code_hash', 'leads_to'])
      .where('browser_hash', '=', hashOfToken(browser))
      .where('audience', '=', audience)
      .where('asked_at', '>', new Date(at.getTime() - signInCodeMinutes * 60_000))
      .where('asked_at', '<=', new Date(at.getTime() + clockDriftMs))
      .where('tries', '<', mostTries)
      .forUpdate()
      .executeTakeFirst();
    if (!ask) return { ok: false, reason: 'none' };
    const room = await askLimits(trx, [{ limit: services.limitOfCodes, by: ask.email }], at);
    if (!room.ok) return { ok: false, reason: 'no-codes' };
    if (isSameSecret(ask.code_hash ?? '', hashOfCode(services.secret, ask.id, code))) {
      const entered = await enterByMail(trx, services, { audience, headers, email: ask.email, to: ask.leads_to });
      return entered.ok ? entered : { ok: false, reason: 'none' };
    }
    await room.count();
    await trx
      .updateTable('sign_in_asks')
      .set({ tries: ask.tries + 1 })
      .where('id', '=', ask.id)
      .execute();
    const triesLeft = mostTries - 1 - ask.tries;
    return triesLeft > 0 ? { ok: false, reason: 'wrong', triesLeft } : { ok: false, reason: 'none' };
  });
}

/** Somebody who reads the mail of an address: their person is made if there is none yet (P51). */
async function enterByMail(
  trx: Db,
  services: SignInServices,
  { email, ...entering }: { email: string; audience: Audience; to: string; headers: Headers },
): Promise<Entered | { ok: false }> {
  const { rows } = await sql<{ id: number | null }>`select person_of(${email}) as id`.execute(trx);
  const personId = rows[0]?.id;
  if (!personId) return { ok: false };
  const at = services.clock.now();
  if (entering.audience === 'staff' && !(await isMainAddress(trx, personId, email))) return { ok: false };
  await verifyAddress(trx, email, at);
  await endAsks(trx, personId, entering.audience);
  return enter(trx, services, { ...entering, personId, bothFactors: false });
}

async function isMainAddress(trx: Db, personId: number, email: string): Promise<boolean> {
  const main = trx.selectFrom('people').select('id').where('id', '=', personId).where('email', '=', email);
  return (await main.executeTakeFirst()) !== undefined;
}

/** Signs in by a passkey. For staff one that verified its user counts as both factors (P53). */
export function enterByPasskey(
  services: SignInServices,
  { text, ...entering }: { text: string; audience: Audience; to: string; headers: Headers },
): Promise<Entered | { ok: false }> {
  return services.db.transaction().execute(async (trx): Promise<Entered | { ok: false }> => {
    const shown = await takePasskey(trx, services, { audience: entering.audience, text });
    if (!shown) return { ok: false };
    return enter(trx, services, { ...entering, personId: shown.personId, bothFactors: shown.verified });
  });
}

type Entering = { personId: number; audience: Audience; bothFactors: boolean; to: string; headers: Headers };

/**
 * Begins the sign-in of a person who showed a mail or a passkey, in the caller's transaction. Staff who showed one factor
 * are asked for the app's code, or to set the app up. The browser's sign-in of before ends.
 */
async function enter(
  trx: Db,
  { cookies, clock, seedKey }: Pick<SignInServices, 'cookies' | 'clock' | 'seedKey'>,
  { personId, audience, bothFactors, to, headers }: Entering,
): Promise<Entered | { ok: false }> {
  const at = clock.now();
  // Locked, so that a role granted at the same moment ends this sign-in, or this one sees it.
  if ((await lockPerson(trx, personId)) === null) return { ok: false };
  let step: Step | null = null;
  if (audience === 'player') await beginAccount(trx, personId, at);
  else if (!(await readActor(trx, personId))) return { ok: false };
  else if (!bothFactors) step = await secondStep(trx, seedKey, personId);
  const before = tokenIn(headers, audience, cookies);
  if (before !== '') await endSignIn(trx, before);
  const browser = browserWords(headers.get('User-Agent'));
  const pending = step && { step, to };
  const token = await beginSignIn(trx, { personId, audience, pending, browser, at });
  if (audience === 'staff' && !pending) await recordStaff(trx, personId, at);
  return { ok: true, to: step ? stepPaths[step] : to, cookies: signInCookies(audience, token, cookies) };
}

async function beginAccount(trx: Db, personId: number, since: Date): Promise<void> {
  await trx
    .insertInto('players')
    .values({ person_id: personId, since })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function secondStep(trx: Db, seedKey: Uint8Array, personId: number): Promise<Step> {
  if (await hasApp(trx, personId)) return 'factor';
  await prepareTotp(trx, seedKey, personId);
  return 'set-up';
}

/** Signs staff in who did the second step, under a new token. */
export async function completeStaff(
  trx: Db,
  { cookies, clock }: Pick<SignInServices, 'cookies' | 'clock'>,
  signIn: SignIn,
): Promise<string[]> {
  const at = clock.now();
  const token = await completeSignIn(trx, signIn, at);
  await recordStaff(trx, signIn.personId, at);
  return signInCookies(signIn.audience, token, cookies);
}

const recordStaff = (trx: Db, personId: number, at: Date): Promise<void> =>
  writeAuditEntry(trx, { at, personId, action: 'sign-in', subject: `person:${personId}`, details: {} });
