import type { NotNull } from 'kysely';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { lockConversation, tellChange } from './commands.server.ts';
import type { ConversationState } from './states.ts';

/** An act of a member of staff in a conversation. */
export type Act = { kind: 'answer'; body: string } | { kind: 'closed' | 'opened' };

type Acting = {
  conversationId: number;
  actor: StaffActor;
  at: Date;
  /** The number of the last act of staff, notes apart, that the page showed; 0 for none. */
  seen: number;
};

/** Not stored: the conversation was erased, or somebody did something first; `seen` counts that in. */
export type NotActed =
  | { ok: false; reason: 'missing' }
  | { ok: false; reason: 'meanwhile'; by: string; at: Date; seen: number; kind: string };

const stateAfter: Record<Act['kind'], ConversationState> = {
  answer: 'answered',
  closed: 'closed',
  opened: 'waiting',
};

/**
 * Stores an act with its audit entry. The conversation's row is locked first, so that of two answers at once the second
 * is told of the first.
 */
export async function actOnConversation(
  trx: Db,
  act: Act,
  { conversationId, actor, at, seen }: Acting,
): Promise<{ ok: true } | NotActed> {
  requirePermission(actor, 'conversations:answer');
  const { person } = actor;
  if (!(await lockConversation(trx, conversationId))) return { ok: false, reason: 'missing' };
  const other = await findActAfter(trx, conversationId, seen);
  if (other) return { ok: false, reason: 'meanwhile', ...other };

  await trx
    .insertInto('conversation_messages')
    .values({
      conversation_id: conversationId,
      kind: act.kind,
      body: 'body' in act ? act.body : null,
      person_id: person.id,
      created_at: at,
    })
    .execute();
  const state = stateAfter[act.kind];
  await trx
    .updateTable('conversations')
    .set({ state, state_at: at, state_by: person.id, last_at: at })
    .where('id', '=', conversationId)
    .execute();
  await writeAuditEntry(trx, {
    at,
    personId: person.id,
    action: act.kind,
    subject: `conversation:${conversationId}`,
  });
  await tellChange(trx, conversationId);
  return { ok: true };
}

async function findActAfter(trx: Db, conversationId: number, seen: number) {
  const act = await trx
    .selectFrom('conversation_messages')
    .innerJoin('people', 'people.id', 'conversation_messages.person_id')
    .select(['conversation_messages.id as seen', 'people.name as by', 'kind', 'conversation_messages.created_at as at'])
    // Staff always have a name.
    .$narrowType<{ by: NotNull }>()
    .where('conversation_id', '=', conversationId)
    .where('kind', '<>', 'note')
    .where('conversation_messages.id', '>', seen)
    .orderBy('conversation_messages.id', 'desc')
    .executeTakeFirst();
  return act ?? null;
}
