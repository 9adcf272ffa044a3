import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { conversationAnswer, conversationNotice } from '#app/emails/enquiries.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { eachItem, limitOf } from '#app/jobs/each-item.server.ts';
import { hourMs, minuteMs } from '#app/lib/durations.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { conversationLink } from './links.server.ts';

/** How long a conversation waits before we email the academy. */
const noticeAfterMs = 2 * minuteMs;

/**
 * Queues the emails about conversations: tells visitors of answers that their page has not shown for a minute, and the
 * academy of conversations that have waited for two. Several processes may do so at once.
 */
export async function queueConversationMails(db: Db, academy: MailAcademy, now: Date): Promise<void> {
  const keyOf = ({ id }: { id: number }) => `conversation:${id}`;
  const told = await unread(db, now).limit(limitOf(job, 100)).execute();
  await eachItem(db, { job, items: told, keyOf, at: now }, (trx, { id }) => tellVisitor(trx, id, { academy, now }));
  const waiting = await unnoticed(db, now).execute();
  await eachItem(db, { job, items: waiting, keyOf, at: now }, (trx, { id }) => tellAcademy(trx, id, { academy, now }));
}

const job = 'tell of conversations';

/** Conversations with answers that were not shown, whose address was not written to within the hour. */
const unread = (db: Db, now: Date) =>
  db
    .selectFrom('conversations')
    .innerJoin('conversation_messages', 'conversation_messages.conversation_id', 'conversations.id')
    .select(['conversations.id', 'email'])
    .select(({ fn }) => fn.max('conversation_messages.id').as('last'))
    .where('email', 'is not', null)
    .where('kind', '=', 'answer')
    .where(sql<boolean>`conversation_messages.id > greatest(visitor_read, told_of)`)
    .where('conversation_messages.created_at', '<=', new Date(now.getTime() - minuteMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conversations as other')
            .select('other.id')
            .whereRef('other.mailbox', '=', 'conversations.mailbox')
            .where('other.told_at', '>', new Date(now.getTime() - hourMs))
            // A later one is of a clock that was ahead.
            .where('other.told_at', '<=', now),
        ),
      ),
    )
    .groupBy('conversations.id')
    .orderBy('conversations.id');

type Telling = { academy: MailAcademy; now: Date };

/** One email for any number of answers, and at most one an hour to a recipient (P24). */
async function tellVisitor(trx: Db, id: number, { academy, now }: Telling): Promise<boolean> {
  // One after the other, so that the limit of a recipient is kept.
  await sql`select pg_advisory_xact_lock(hashtextextended('mails about conversations', 0))`.execute(trx);
  const row = await unread(trx, now).where('conversations.id', '=', id).executeTakeFirst();
  if (!row || row.email === null) return false;
  const link = conversationLink(id);
  const mail = conversationAnswer({ link: placeholderOf(link), academy });
  await queueMail(trx, {
    kind: 'conversation-answer',
    about: { kind: 'conversation', id },
    to: row.email,
    replyTo: academy.email,
    links: [link],
    ...mail,
  });
  await trx.updateTable('conversations').set({ told_of: row.last, told_at: now }).where('id', '=', id).execute();
  return true;
}

const isUnnoticed = (now: Date) =>
  sql<boolean>`state = 'waiting' and state_at <= ${new Date(now.getTime() - noticeAfterMs)}
    and (noticed_at is null or noticed_at < state_at)`;
const unnoticed = (db: Db, now: Date) =>
  db.selectFrom('conversations').select('id').where(isUnnoticed(now)).orderBy('id');

/** Once for each time a conversation begins to wait. */
async function tellAcademy(trx: Db, id: number, { academy, now }: Telling): Promise<boolean> {
  const waiting = await trx
    .updateTable('conversations')
    .set({ noticed_at: now })
    .where('id', '=', id)
    .where(isUnnoticed(now))
    .returning(['name', 'email', 'about'])
    .executeTakeFirst();
  if (!waiting) return false;
  const message = await trx
    .selectFrom('conversation_messages')
    .select('body')
    .where('conversation_id', '=', id)
    .where('kind', '=', 'visitor')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const link = academy.url + href('/staff/conversations/:id', { id: String(id) });
  const { name, email, about } = waiting;
  const mail = conversationNotice({ name, email, about, message: message?.body ?? '', link, academy });
  await queueMail(trx, {
    kind: 'conversation-notice',
    about: { kind: 'conversation', id },
    to: academy.email,
    ...mail,
  });
  return true;
}
