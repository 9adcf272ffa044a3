import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { wordsFit } from '#app/db/words-fit.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import type { Message } from './message-log.tsx';
import type { ConversationView } from './states.ts';

/**
 * The conversation as its visitor may see it; records that the visitor's page has shown it. Null when there is none.
 */
export async function readForVisitor(db: Db, id: number, now: Date) {
  const conversation = await db
    .selectFrom('conversations')
    .select(['state', 'email', 'about'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!conversation) return null;
  const messages = await readMessages(db, id, ['visitor', 'answer', 'closed']);
  await db
    .updateTable('conversations')
    // With two requests at once the earlier may come last.
    .set({ visitor_read: sql`greatest(visitor_read, ${messages.at(-1)?.id ?? 0})`, visitor_at: now })
    .where('id', '=', id)
    .execute();
  return { ...conversation, messages };
}

/** Whether a visitor has the page open: it asks every 20 seconds, and `visitorAt` is when it last did. */
export const isVisitorHere = (visitorAt: Date, now: Date): boolean => now.getTime() - visitorAt.getTime() < 60_000;

/** Everything in a conversation, for staff; null when there is none. */
export async function readForStaff(db: Db, actor: StaffActor, id: number, now: Date) {
  requirePermission(actor, 'conversations:read');
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'name', 'email', 'about', 'state', 'created_at', 'visitor_read', 'visitor_at', 'told_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const messages = await readMessages(db, id, ['visitor', 'answer', 'note', 'closed', 'opened']);
  const lastAnswer = messages.findLast(({ kind }) => kind === 'answer');
  return {
    name: showControlCharacters(row.name ?? 'Visitor'),
    /** As they gave it; null where they gave none. */
    givenName: row.name,
    email: row.email && showControlCharacters(row.email),
    about: row.about,
    state: row.state,
    startedAt: formatMoment(row.created_at),
    visitorHere: isVisitorHere(row.visitor_at, now),
    visitorAt: formatMoment(row.visitor_at),
    answerRead: lastAnswer !== undefined && lastAnswer.id <= row.visitor_read,
    toldAt: row.told_at && formatMoment(row.told_at),
    /** The number of the last act of staff, notes apart; 0 for none. */
    seen: messages.findLast(({ kind }) => ['answer', 'closed', 'opened'].includes(kind))?.id ?? 0,
    messages: messages.map((message) => ({ ...message, body: showControlCharacters(message.body) })),
  };
}

async function readMessages(db: Db, id: number, kinds: readonly Message['kind'][]): Promise<Message[]> {
  const rows = await db
    .selectFrom('conversation_messages')
    .leftJoin('people', 'people.id', 'conversation_messages.person_id')
    .select(['conversation_messages.id', 'kind', 'body', 'people.name as by', 'conversation_messages.created_at'])
    .where('conversation_id', '=', id)
    .where('kind', 'in', kinds)
    .orderBy('conversation_messages.id')
    .execute();
  return rows.map(({ id: messageId, kind, body, by, created_at }) => ({
    id: messageId,
    kind,
    body: body ?? '',
    by,
    at: formatMoment(created_at),
    instant: created_at.toISOString(),
  }));
}

const pageLength = 50;

/**
 * One page of the matching conversations: those that wait for an answer first, the longest waiting at the top, then the
 * others, the latest first. Every word of the search must begin a word of the visitor's name or email address, or of
 * one message.
 */
export async function listConversations(db: Db, actor: StaffActor, { values, search, page }: ConversationView) {
  requirePermission(actor, 'conversations:read');
  const named = wordsFit(search, sql`conversations.words`);
  const written = wordsFit(search, sql`message.words`);
  const fits =
    named &&
    sql<boolean>`(${named} or conversations.id in (
      select conversation_id from conversation_messages message where ${written}))`;
  const rows = await db
    .selectFrom('conversations')
    .leftJoin('people', 'people.id', 'conversations.state_by')
    .select(['conversations.id', 'conversations.name', 'conversations.email', 'state', 'state_at', 'last_at'])
    .select('people.name as by')
    .select((row) =>
      row
        .selectFrom('conversation_messages')
        .select(sql<string>`left(body, 200)`.as('beginning'))
        .whereRef('conversation_id', '=', 'conversations.id')
        .where('kind', '=', 'visitor')
        .orderBy('id', 'desc')
        .limit(1)
        .as('beginning'),
    )
    .$if(values.state !== null, (query) => query.where('state', '=', values.state))
    .where(fits ?? sql<boolean>`true`)
    .orderBy(sql`state <> 'waiting'`)
    .orderBy(sql`case when state = 'waiting' then state_at end`)
    .orderBy('last_at', 'desc')
    .orderBy('conversations.id')
    .limit(pageLength + 1)
    .offset((page - 1) * pageLength)
    .execute();
  return { rows: rows.slice(0, pageLength), more: rows.length > pageLength };
}

/** Whether the visitor wrote after a message, by its id. */
export async function visitorWroteAfter(db: Db, conversationId: number, messageId: number): Promise<boolean> {
  const row = await db
    .selectFrom('conversation_messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('kind', '=', 'visitor')
    .where('id', '>', messageId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
