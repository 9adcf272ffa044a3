import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';

/** A bulk action as its page shows it; null when there is none. `leftMs` is how long it can be taken back. */
export async function findBulkAction(db: Db, actor: StaffActor, number: number) {
  requirePermission(actor, 'mail:read');
  const action = await actionsWithMaker(db).where('number', '=', number).executeTakeFirst();
  if (!action) return null;
  const emails = await db
    .selectFrom('mails')
    .leftJoin('enrolments', (join) => join.onRef('enrolments.id', '=', 'about_id').on('about_kind', '=', 'enrolment'))
    .select(['mails.id', 'recipient', 'mails.state', 'mails.reason', 'enrolments.reference'])
    .select(sql<number>`(1000 * extract(epoch from tries_from - now()))::integer`.as('left_ms'))
    .where('bulk_action', '=', number)
    .orderBy(sql`array_position(array['failed', 'dropped', 'queued', 'sent'], mails.state)`)
    .orderBy('recipient')
    .execute();
  const waiting = emails.filter(({ state }) => state === 'queued');
  return { ...action, emails, leftMs: Math.max(0, ...waiting.map(({ left_ms }) => left_ms)) };
}

const actionsWithMaker = (db: Db) =>
  db
    .selectFrom('bulk_actions')
    .leftJoin('people', 'people.id', 'made_by')
    .select(['number', 'act', 'subject', 'body', 'made_at', 'taken_back_at', 'people.name as made_by']);

/** How many emails of a bulk action are in each state. */
export type EmailCounts = Record<'queued' | 'sent' | 'failed' | 'dropped', number>;

const listLength = 50;

/** The bulk actions before a given one, latest first; `next` is the number for the next page. */
export async function listBulkActions(db: Db, actor: StaffActor, before: number | null) {
  requirePermission(actor, 'mail:read');
  const countOf = (state: keyof EmailCounts) =>
    sql<number>`(select count(*)::integer from mails where bulk_action = number and state = ${state})`.as(state);
  const rows = await actionsWithMaker(db)
    .select([countOf('queued'), countOf('sent'), countOf('failed'), countOf('dropped')])
    .$if(before !== null, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(listLength + 1)
    .execute();
  const actions = rows.slice(0, listLength);
  return { actions, next: rows.length > listLength ? (actions.at(-1)?.number ?? null) : null };
}

/** The messages whose emails name one of these course dates, the latest first. */
export async function messagesTo(db: Db, actor: StaffActor, dateIds: readonly number[]) {
  requirePermission(actor, 'mail:read');
  const named = db
    .selectFrom('mails')
    .select('bulk_action')
    .where('course_date_id', 'in', [0, ...dateIds]);
  return actionsWithMaker(db).where('number', 'in', named).orderBy('number', 'desc').limit(20).execute();
}
