import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import { mostCounted } from './enquiries/inbox.ts';
import { worksInInbox } from './holds.server.ts';
import { lastWritten, snoozedAt } from './items.server.ts';

/** Open in the inbox, and either the person's own or nobody's: not put off, and not in a colleague's hand. */
const isTheirs = (actor: StaffActor, now: Date, changed?: RawBuilder<unknown>) => sql`
  (hold.held_by is null or hold.held_by = ${actor.person.id}
    or not ${worksInInbox(sql.ref('hold.held_by'))})
  and not ${snoozedAt(now, changed)}`;

/** How many enquiries wait that are the person's own or nobody's; `mostCounted` at most are counted. */
export async function countEnquiries(db: Db, actor: StaffActor, now: Date): Promise<number> {
  requirePermission(actor, 'enquiries:read');
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (select from enquiries
    left join inbox_holds hold on hold.enquiry_id = enquiries.id
    where state = 'new' and ${isTheirs(actor, now)} limit ${mostCounted}) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The same of chats. */
export async function countChats(db: Db, actor: StaffActor, now: Date): Promise<number> {
  requirePermission(actor, 'conversations:read');
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from (select from conversations
    left join inbox_holds hold on hold.conversation_id = conversations.id
    where state = 'waiting' and ${isTheirs(actor, now, lastWritten)}
    limit ${mostCounted}) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}
