import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { emailCode } from '#app/emails/email-code.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { askLimits, type FormLimit } from '#app/http/form-limit.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { countMail, hasRoom, mailboxKey } from '#app/outbox/mail-counts.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/** How long a code holds, and how often it may be tried (P28). */
export const codeMinutes = 15;
const mostTries = 5;
/** Codes sent to one address, and asked for by one network address, in the window of forms. */
const codesOfMailbox = 3;
const codesOfNetwork = 10;
/** Codes sent to one address in any 24 hours, whoever asks for them. */
const ofDay = { limits: [{ most: 10, hours: 24 }] };

type Sending = {
  draftId: number;
  email: string;
  /** The network address that asks for it. */
  address: string;
  secret: string;
  limit: FormLimit;
  academy: MailAcademy;
  at: Date;
};

/**
 * Mails a code that confirms an address (P28), in the caller's transaction. Too many to one mailbox or from one network
 * within ten minutes, or to one mailbox within a day, are refused: nothing is sent, and nothing counted. `at` is the
 * true time.
 */
export async function sendCode(
  trx: Db,
  { draftId, email, address, secret, limit, academy, at }: Sending,
): Promise<{ ok: true } | { ok: false; reason: 'too-many-of-network' | 'too-many-to-mailbox' }> {
  const ofNetwork = {
    ...limit,
    attempts: codesOfNetwork,
    attemptsOfWideNetwork: codesOfNetwork * 4,
    key: `${limit.key}:codes`,
  };
  const ofMailbox = {
    ...limit,
    attempts: codesOfMailbox,
    attemptsOfWideNetwork: codesOfMailbox,
    key: `${limit.key}:mailbox`,
  };
  const dayKey = await mailboxKey(trx, 'email-code', email);
  if (!(await hasRoom(trx, new Map([[dayKey, ofDay]]), at))) return { ok: false, reason: 'too-many-to-mailbox' };
  const asked = [
    { limit: ofNetwork, by: address },
    { limit: ofMailbox, by: mailboxOf(email) },
  ];
  const room = await askLimits(trx, asked, at);
  if (!room.ok) {
    return { ok: false, reason: room.reached.limit === ofNetwork ? 'too-many-of-network' : 'too-many-to-mailbox' };
  }
  await room.count();
  await countMail(trx, dayKey, at);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await trx
    .insertInto('email_codes')
    .values({ draft_id: draftId, email, code_hash: hashOf(secret, { draftId, email, code }), sent_at: at })
    .execute();
  await queueMail(trx, {
    kind: 'email-code',
    secret: true,
    to: email,
    replyTo: academy.email,
    staleAfter: new Date(at.getTime() + codeMinutes * 60_000),
    ...emailCode({ code, minutes: codeMinutes, academy }),
  });
  return { ok: true };
}

export type CodeResult =
  | { ok: true }
  | { ok: false; reason: 'wrong'; triesLeft: number }
  | { ok: false; reason: 'none' };

/**
 * Whether a code is one that was sent to the address for this draft and still holds. A wrong one counts as a try of
 * every code that holds; after five none does any more. `at` is the true time.
 */
export async function tryCode(
  trx: Db,
  { draftId, email, code, secret, at }: { draftId: number; email: string; code: string; secret: string; at: Date },
): Promise<CodeResult> {
  const codes = await trx
    .selectFrom('email_codes')
    .select(['id', 'code_hash', 'tries'])
    .where('draft_id', '=', draftId)
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('tries', '<', mostTries)
    .where('sent_at', '>', new Date(at.getTime() - codeMinutes * 60_000))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (codes.length === 0) return { ok: false, reason: 'none' };
  const wanted = Buffer.from(hashOf(secret, { draftId, email, code }));
  const found = codes.find(({ code_hash }) => {
    const stored = Buffer.from(code_hash);
    return stored.length === wanted.length && timingSafeEqual(stored, wanted);
  });
  if (found) {
    await trx.updateTable('email_codes').set({ used_at: at }).where('id', '=', found.id).execute();
    return { ok: true };
  }
  const ids = codes.map(({ id }) => id);
  await trx.updateTable('email_codes').set({ tries: sql`tries + 1` }).where('id', 'in', ids).execute();
  const triesLeft = mostTries - 1 - Math.min(...codes.map(({ tries }) => tries));
  return triesLeft > 0 ? { ok: false, reason: 'wrong', triesLeft } : { ok: false, reason: 'none' };
}

/** Under the program's secret: a million codes are tried in no time by whoever reads only the table. */
function hashOf(secret: string, { draftId, email, code }: { draftId: number; email: string; code: string }): string {
  return createHmac('sha256', secret).update(`email-code:${draftId}:${email}:${code}`).digest('base64url');
}
