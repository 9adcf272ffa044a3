import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { makeLink } from '#app/outbox/private-links.server.ts';
import { findByToken, tokenOfForm } from './links.server.ts';
import type { StartForm } from './schema.ts';

/** The database channel that carries the id of a conversation when something in it changed. */
export const channel = 'conversations';

/** How many messages of both sides a conversation may hold. */
export const mostMessages = 300;

/**
 * Opens a conversation with its first message and returns the token of its private link. The same form sent again leads
 * to the same conversation (P25); with another text it adds a message, with another name or address it corrects them.
 */
export async function startConversation(
  trx: Db,
  { name, email, message, about }: StartForm & { about: string | null },
  { secret, idempotencyKey, at }: { secret: string; idempotencyKey: string; at: Date },
): Promise<{ token: string; repeat: boolean }> {
  const token = tokenOfForm(secret, idempotencyKey);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`conversation of ${token}`}, 0))`.execute(trx);
  const visitor = { name: name || null, email: email || null, mailbox: email ? mailboxOf(email) : null };
  const known = await findByToken(trx, token);
  if (known !== null) {
    await trx.updateTable('conversations').set(visitor).where('id', '=', known).execute();
    const added = await addVisitorMessage(trx, known, { body: message, idempotencyKey, at });
    return { token, repeat: !added.ok || added.repeat };
  }
  const { id } = await trx
    .insertInto('conversations')
    .values({ ...visitor, about, state_at: at, created_at: at, last_at: at, visitor_at: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await makeLink(trx, { conversation_id: id }, token);
  await addVisitorMessage(trx, id, { body: message, idempotencyKey, at });
  return { token, repeat: false };
}

type Added = { ok: true; repeat: boolean } | { ok: false; reason: 'missing' | 'full' };

/**
 * Adds what the visitor wrote; the conversation then waits for an answer. The same text from the same form is stored
 * once (P25).
 */
export async function addVisitorMessage(
  trx: Db,
  conversationId: number,
  { body, idempotencyKey, at }: { body: string; idempotencyKey: string; at: Date },
): Promise<Added> {
  const conversation = await lockConversation(trx, conversationId);
  if (!conversation) return { ok: false, reason: 'missing' };
  const formHash = hashOfForm([idempotencyKey, body]);
  if (await wasStored(trx, formHash)) return { ok: true, repeat: true };
  if ((await countMessages(trx, conversationId)) >= mostMessages) return { ok: false, reason: 'full' };
  await trx
    .insertInto('conversation_messages')
    .values({ conversation_id: conversationId, kind: 'visitor', body, form_hash: formHash, created_at: at })
    .execute();
  const waits = { state: 'waiting', state_at: at, state_by: null } as const;
  await trx
    .updateTable('conversations')
    .set({ ...(conversation.state !== 'waiting' && waits), last_at: at, visitor_at: at })
    .where('id', '=', conversationId)
    .execute();
  await tellChange(trx, conversationId);
  return { ok: true, repeat: false };
}

/** Locks a conversation until the transaction ends; null when there is none. */
export async function lockConversation(trx: Db, id: number): Promise<{ state: string } | null> {
  const row = await trx.selectFrom('conversations').select('state').where('id', '=', id).forUpdate().executeTakeFirst();
  return row ?? null;
}

const hashOfForm = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

async function wasStored(trx: Db, formHash: string): Promise<boolean> {
  const stored = await trx
    .selectFrom('conversation_messages')
    .select('id')
    .where('form_hash', '=', formHash)
    .executeTakeFirst();
  return stored !== undefined;
}

async function countMessages(trx: Db, conversationId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('conversation_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Tells every process, when the transaction commits, that a conversation changed. */
export async function tellChange(trx: Db, conversationId: number): Promise<void> {
  await sql`select pg_notify(${channel}, ${String(conversationId)})`.execute(trx);
}
