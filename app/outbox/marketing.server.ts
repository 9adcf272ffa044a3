import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { programSecret } from '#app/db/secrets.server.ts';
import { addressHash } from './address-hash.server.ts';
import type { Mail } from './mail.ts';
import { queueMail } from './queue-mail.server.ts';

/**
 * Stores that an address agreed to marketing, with the words and the time (P49). An address that unsubscribed stays
 * unsubscribed: anybody can type an address into a form.
 */
export async function recordConsent(trx: Db, consent: { address: string; wording: string; at: Date }): Promise<void> {
  const hash = await addressHash(trx, consent.address);
  if (await isSuppressed(trx, hash)) return;
  const given = { address: consent.address, wording: consent.wording, given_at: consent.at };
  await trx
    .insertInto('marketing_consents')
    .values({ address_hash: hash, ...given })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet(given))
    .execute();
}

/** The consent of an address: its wording and time, since when it is withdrawn, or that there is none. */
export type Consent =
  | { state: 'agreed'; wording: string; at: Date }
  | { state: 'withdrawn'; at: Date }
  | { state: 'nothing' };

/** The present consent of an address. */
export async function findConsent(db: Db, address: string): Promise<Consent> {
  return consentOf(db, await addressHash(db, address));
}

/** The consent of the address of a link; null for an unknown token. */
export async function readConsent(db: Db, token: string): Promise<Consent | null> {
  return (await isUnsubscribeToken(db, token)) ? consentOf(db, token.slice(0, 64)) : null;
}

/**
 * The page on which the reader of an address’s mail sees what was agreed to under it and withdraws that (P49). It
 * holds for ever, and for this address alone. `baseUrl` is the public origin without a trailing slash.
 */
export async function consentLink(db: Db, baseUrl: string, address: string): Promise<string> {
  const token = await tokenOf(db, await addressHash(db, address));
  return baseUrl + href('/unsubscribe/:token', { token });
}

async function consentOf(db: Db, hash: string): Promise<Consent> {
  const consent = await db
    .selectFrom('marketing_consents')
    .select(['wording', 'given_at'])
    .where('address_hash', '=', hash)
    .executeTakeFirst();
  if (consent) return { state: 'agreed', wording: consent.wording, at: consent.given_at };
  const ended = await db
    .selectFrom('mail_suppressions')
    .select('since')
    .where('address_hash', '=', hash)
    .executeTakeFirst();
  return ended ? { state: 'withdrawn', at: ended.since } : { state: 'nothing' };
}

type Marketing = Pick<Mail, 'bulkAction' | 'courseDate'> & {
  to: string;
  kind: string;
  /** Public origin without a trailing slash. */
  baseUrl: string;
  /** Makes the mail, with the address of the page that ends such mail. */
  render: (unsubscribe: string) => Pick<Mail, 'subject' | 'text' | 'html'>;
};

/**
 * Queues marketing in the caller's transaction, with one-click unsubscribe (RFC 2369, RFC 8058). Returns the mail's id,
 * or null, and queues nothing, without a consent or after it was withdrawn.
 */
export async function queueMarketingMail(
  trx: Db,
  { to, kind, baseUrl, render, ...more }: Marketing,
): Promise<string | null> {
  if (!(await mayGetNews(trx, to))) return null;
  const unsubscribe = await consentLink(trx, baseUrl, to);
  const headers = { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  return queueMail(trx, { ...render(unsubscribe), ...more, kind, about: 'nothing', to, headers });
}

/** Whether an address has consented to marketing and not withdrawn that since. */
async function mayGetNews(db: Db, address: string): Promise<boolean> {
  const hash = await addressHash(db, address);
  const consent = await db
    .selectFrom('marketing_consents')
    .select('address_hash')
    .where('address_hash', '=', hash)
    .executeTakeFirst();
  return consent !== undefined && !(await isSuppressed(db, hash));
}

/**
 * Whether consent allows a mail to be sent (P49): marketing that waited, or failed and is sent again, only while the
 * recipient consents.
 */
export async function isStillWanted(db: Db, mail: { recipient: string; headers: unknown }): Promise<boolean> {
  const isNews = 'List-Unsubscribe' in (mail.headers as Record<string, string>);
  return !isNews || mayGetNews(db, mail.recipient);
}

/** Whether we made the token of an unsubscribe link. */
export async function isUnsubscribeToken(db: Db, token: string): Promise<boolean> {
  const [wanted, given] = [Buffer.from(await tokenOf(db, token.slice(0, 64))), Buffer.from(token)];
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Ends marketing to the address of a token; false for an unknown token. Repeating it changes nothing. */
export async function unsubscribe(db: Db, token: string, now: Date): Promise<boolean> {
  if (!(await isUnsubscribeToken(db, token))) return false;
  const hash = token.slice(0, 64);
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('mail_suppressions')
      .values({ address_hash: hash, since: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await trx.deleteFrom('marketing_consents').where('address_hash', '=', hash).execute();
  });
  return true;
}

async function isSuppressed(db: Db, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('mail_suppressions')
    .select('since')
    .where('address_hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** The hash of an address and a signature over it, in hexadecimal: paths are lower case here. */
async function tokenOf(db: Db, hash: string): Promise<string> {
  const key = await programSecret(db, 'mail-address');
  return hash + createHmac('sha256', key).update(`unsubscribe:${hash}`).digest('hex').slice(0, 32);
}

/** Writes the unchanged address of a person's consents, so that the trigger finds their person again. */
export async function findConsentsAgain(trx: Db, personId: number, email: string): Promise<void> {
  await sql`update marketing_consents set address = address
    where person_id = ${personId} and lower(address) = ${email}`.execute(trx);
}
