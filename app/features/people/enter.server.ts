import { timingSafeEqual } from 'node:crypto';
import { type NotNull, sql } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { askLimits } from '#app/http/form-limit.server.ts';
import { hashOfToken } from '#app/lib/private-token.server.ts';
import { verifyAddress } from './addresses.server.ts';
import { hashOfCode, linkMinutes, signInCodeMinutes } from './ask-to-sign-in.server.ts';
import { browserWords } from './browser-words.ts';
import { hasFactor, prepareTotp } from './factors.server.ts';
import { readActor } from './queries.server.ts';
import { endAsks } from './sign-in-asks.server.ts';
import type { SignInServices } from './sign-in-context.ts';
import {
  type Audience,
  type Awaits,
  beginSignIn,
  completeSignIn,
  endSignIn,
  type SignIn,
  signInCookies,
  tokenIn,
} from './sign-ins.server.ts';

const mostTries = 5;
/** How far the clocks of two processes may differ. */
const clockDriftMs = 60_000;

/** A person who signs in: `awaits` is the step still to come, `to` the address to go on to. */
export type Entered = { ok: true; awaits: Awaits; to: string; cookies: string[] };

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
 * Signs in by the code of a mail, in the browser that asked for it (P51). A wrong one counts; after five, or ten
 * minutes, none works. After twenty wrong ones for an address in a day no code does until the day is over (`no-codes`),
 * so that nobody finds one by asking again and again; links go on working. All of it is the same for an address without
 * mail.
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
    if (isSame(ask.code_hash ?? '', hashOfCode(services.secret, ask.id, code))) {
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

/** Compares two texts in a time that says nothing about where they differ. */
function isSame(stored: string, given: string): boolean {
  const [left, right] = [Buffer.from(stored), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
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
  await trx
    .updateTable('people')
    .set({ mail_proof_due: false })
    .where('id', '=', personId)
    .where('mail_proof_due', '=', true)
    .where('email', '=', email)
    .execute();
  await endAsks(trx, personId, entering.audience);
  return enter(trx, services, { ...entering, personId, by: 'mail' });
}

async function isMainAddress(trx: Db, personId: number, email: string): Promise<boolean> {
  const main = trx.selectFrom('people').select('id').where('id', '=', personId).where('email', '=', email);
  return (await main.executeTakeFirst()) !== undefined;
}

type Entering = {
  personId: number;
  audience: Audience;
  /** The first factor; a passkey counts as both (P53). */
  by: 'mail' | 'password' | 'passkey';
  to: string;
  headers: Headers;
};

/**
 * Begins a sign-in once the first factor was shown, in the caller's transaction. The second one is asked for after each
 * but a passkey; staff without one have to set it up. The browser's sign-in of before ends.
 */
export async function enter(
  trx: Db,
  { cookies, clock }: Pick<SignInServices, 'cookies' | 'clock'>,
  { personId, audience, by, to, headers }: Entering,
): Promise<Entered | { ok: false }> {
  const at = clock.now();
  // Locked, so that a role granted at the same moment ends this sign-in, or this one sees it.
  const person = await trx
    .selectFrom('people')
    .select(['id', 'mail_proof_due'])
    .where('id', '=', personId)
    .where('email', 'is not', null)
    .$narrowType<{ email: NotNull }>()
    .forUpdate()
    .executeTakeFirst();
  if (!person || (by !== 'mail' && person.mail_proof_due)) return { ok: false };
  if (audience === 'staff' && !(await readActor(trx, personId))) return { ok: false };
  if (audience === 'player') {
    const account = { person_id: personId, since: at };
    await trx
      .insertInto('players')
      .values(account)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const awaits = await awaited(trx, { personId, audience, by, at });
  const before = tokenIn(headers, audience, cookies);
  if (before !== '') await endSignIn(trx, before);
  const browser = browserWords(headers.get('User-Agent'));
  const token = await beginSignIn(trx, { personId, audience, awaits, leadsTo: to, browser, at });
  if (!awaits) await recordSignIn(trx, { audience, personId }, at);
  return { ok: true, awaits, to, cookies: signInCookies(audience, token, cookies) };
}

async function awaited(
  trx: Db,
  { personId, audience, by, at }: Pick<Entering, 'personId' | 'audience' | 'by'> & { at: Date },
): Promise<Awaits> {
  if (by === 'passkey') return null;
  if (await hasFactor(trx, personId)) return 'factor';
  if (audience === 'player') return null;
  await prepareTotp(trx, personId, at);
  return 'set-up';
}

/** Signs a person in who showed the second factor, under a new token. */
export async function complete(
  trx: Db,
  { cookies, clock }: Pick<SignInServices, 'cookies' | 'clock'>,
  signIn: SignIn,
): Promise<string[]> {
  const at = clock.now();
  const token = await completeSignIn(trx, signIn, at);
  await recordSignIn(trx, signIn, at);
  return signInCookies(signIn.audience, token, cookies);
}

async function recordSignIn(trx: Db, { audience, personId }: Pick<SignIn, 'audience' | 'personId'>, at: Date) {
  if (audience !== 'staff') return;
  await writeAuditEntry(trx, { at, personId, action: 'sign-in', subject: `person:${personId}`, details: {} });
}
