import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { emailCode } from '#app/emails/accounts.ts';
import type { Academy } from '#app/http/academy.server.ts';
import { askForMail } from '#app/outbox/asked-mail.server.ts';
import type { About } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { setStaleAfter } from '#app/outbox/withdraw-mail.server.ts';

/** How long a code holds, and how often it may be tried (P28). */
export const buyerCodeMinutes = 15;
const mostTries = 5;

/** For what a code is: a checkout, accepting an offer (P111), or a seat of an enrolment (P115). */
export type CodeOf = { draftId: number } | { offerId: number } | { enrolmentId: number };

function columnsOf(of: CodeOf) {
  if ('draftId' in of) return { draft_id: of.draftId };
  return 'offerId' in of ? { offer_id: of.offerId } : { enrolment_id: of.enrolmentId };
}

function isOf(of: CodeOf) {
  if ('draftId' in of) return sql<boolean>`email_codes.draft_id = ${of.draftId}`;
  return 'offerId' in of
    ? sql<boolean>`email_codes.offer_id = ${of.offerId}`
    : sql<boolean>`email_codes.enrolment_id = ${of.enrolmentId}`;
}

function aboutOf(of: CodeOf): About {
  if ('draftId' in of) return { kind: 'enrolment-draft', id: of.draftId };
  return 'offerId' in of ? { kind: 'offer', id: of.offerId } : { kind: 'enrolment', id: of.enrolmentId };
}

type Sending = CodeOf & {
  email: string;
  /** The network address that asks for it. */
  address: string;
  /** How many codes a day are asked for by the link of an enrolment, whose users share a network (P115). */
  mostOfLink?: number;
};

/**
 * What became of a code: it is mailed; an earlier one could not be handed over yet, stays the only one and is tried for
 * another quarter of an hour; or none is sent, because many were asked for from the network or by the link.
 */
export type CodeAsked = 'again' | 'waiting' | 'network' | 'link';

/** Mails a code that confirms an address (P28), in the caller's transaction. What is refused counts for nothing. */
export async function sendCode(
  trx: Db,
  { forms: { secret, limit }, clock, academy }: Academy,
  { email, address, mostOfLink, ...of }: Sending,
): Promise<CodeAsked> {
  const at = clock.now();
  // A code that could not be handed over is not made anew, and asking for it does not count.
  if (await keepWaitingCode(trx, { ...of, email, at })) return 'waiting';
  const link = mostOfLink !== undefined && 'enrolmentId' in of ? { name: `${of.enrolmentId}`, most: mostOfLink } : null;
  const asked = { limit, kind: link ? 'claim-code' : 'enrolment-code', to: email, from: address, link } as const;
  const room = await askForMail(trx, asked, at);
  if (!room.ok) return link ? 'link' : 'network';
  await room.count();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const mailId = await queueMail(trx, {
    kind: 'email-code',
    about: aboutOf(of),
    secret: true,
    to: email,
    replyTo: academy().email,
    staleAfter: endOf(at),
    ...emailCode({ code, minutes: buyerCodeMinutes, academy: academy() }),
  });
  const codeHash = hashOf(secret, { ...of, email, code });
  await trx
    .insertInto('email_codes')
    .values({ ...columnsOf(of), email, code_hash: codeHash, sent_at: at, mail_id: mailId })
    .execute();
  return 'again';
}

/** Keeps a code valid while its mail waits for the mail server. Returns whether there is such a code. */
async function keepWaitingCode(trx: Db, { email, at, ...of }: Of): Promise<boolean> {
  const waiting = await trx
    .selectFrom('email_codes')
    .innerJoin('mails', 'mails.id', 'mail_id')
    .select(['email_codes.id', 'mails.id as mailId'])
    .where(isOf(of))
    .where('email', '=', email)
    .where('tries', '<', mostTries)
    .where('mails.state', '=', 'queued')
    .where('stale_after', '>', at)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('mail_server').select('id').where('away_since', 'is not', null)),
        exists(
          selectFrom('mail_attempts')
            .select('number')
            .whereRef('mail_attempts.mail_id', '=', 'mails.id')
            .where('ended_at', 'is not', null),
        ),
      ]),
    )
    .orderBy('email_codes.id', 'desc')
    .forUpdate('mails')
    .executeTakeFirst();
  if (!waiting) return false;
  await trx.updateTable('email_codes').set({ sent_at: at }).where('id', '=', waiting.id).execute();
  await setStaleAfter(trx, waiting.mailId, endOf(at));
  return true;
}

type Of = CodeOf & { email: string; at: Date };

/** The codes for an address with which it can still be confirmed. */
function codesThatHold(db: Db, { email, at, ...of }: Of) {
  const begun = new Date(at.getTime() - buyerCodeMinutes * 60_000);
  return (
    db
      .selectFrom('email_codes')
      .where(isOf(of))
      .where('email', '=', email)
      .where('used_at', 'is', null)
      .where('tries', '<', mostTries)
      // From when it was handed over, which an outage can delay.
      .where(({ eb, or, exists, selectFrom }) =>
        or([
          eb('sent_at', '>', begun),
          exists(
            selectFrom('mails')
              .select('mails.id')
              .whereRef('mails.id', '=', 'mail_id')
              .where('state', '=', 'sent')
              .where('settled_at', '>', begun),
          ),
        ]),
      )
  );
}

/** When the last code was sent to an address, and whether one holds; null when none was sent. */
export async function readCode(db: Db, of: Of): Promise<{ sentAt: Date; holds: boolean } | null> {
  const last = await db
    .selectFrom('email_codes')
    .select('sent_at')
    .where(isOf(of))
    .where('email', '=', of.email)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!last) return null;
  const holding = await codesThatHold(db, of).select('id').executeTakeFirst();
  return { sentAt: last.sent_at, holds: holding !== undefined };
}

/** Whether a code of a draft went to another address before. */
export async function wasCodeSentElsewhere(
  db: Db,
  { draftId, email }: { draftId: number; email: string },
): Promise<boolean> {
  const query = db.selectFrom('email_codes').select('id').where('draft_id', '=', draftId).where('email', '<>', email);
  return (await query.executeTakeFirst()) !== undefined;
}

const endOf = (from: Date) => new Date(from.getTime() + buyerCodeMinutes * 60_000);

export type CodeResult =
  | { ok: true }
  | { ok: false; reason: 'wrong'; triesLeft: number }
  | { ok: false; reason: 'none' };

/**
 * Whether a code is one that was sent to the address for this and still holds. A wrong one counts as a try of
 * every code that holds; after five none does any more.
 */
export async function tryCode(
  trx: Db,
  { email, code, secret, at, ...of }: Of & { code: string; secret: string },
): Promise<CodeResult> {
  const codes = await codesThatHold(trx, { ...of, email, at })
    .select(['id', 'code_hash', 'tries'])
    .orderBy('id')
    .forUpdate()
    .execute();
  if (codes.length === 0) return { ok: false, reason: 'none' };
  const wanted = Buffer.from(hashOf(secret, { ...of, email, code }));
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

/** Hashed with the program's secret: somebody who reads only the table could otherwise try all million codes in no time. */
function hashOf(secret: string, { email, code, ...of }: CodeOf & { email: string; code: string }): string {
  const id = 'draftId' in of ? of.draftId : 'offerId' in of ? `offer-${of.offerId}` : `enrolment-${of.enrolmentId}`;
  return createHmac('sha256', secret).update(`email-code:${id}:${email}:${code}`).digest('base64url');
}

/** Whether a code is the one with which an address was proved in the last quarter of an hour: the same form sent twice. */
export async function wasCodeUsed(
  db: Db,
  { email, code, secret, at, ...of }: Of & { code: string; secret: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('email_codes')
    .select('id')
    .where(isOf(of))
    .where('email', '=', email)
    .where('code_hash', '=', hashOf(secret, { ...of, email, code }))
    .where('used_at', '>', new Date(at.getTime() - buyerCodeMinutes * 60_000))
    .executeTakeFirst();
  return row !== undefined;
}
