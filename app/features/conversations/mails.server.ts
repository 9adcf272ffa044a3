import { sql } from 'kysely';
import { href } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { conversationAnswer } from '#app/emails/conversation-answer.ts';
import { conversationNotice } from '#app/emails/conversation-notice.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { makeLinkToken } from './links.server.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long a conversation waits before the academy is told by e-mail. */
const noticeAfterMs = 2 * minuteMs;

/**
 * Queues the e-mails about conversations: tells visitors of answers that their page has not shown for a minute, and the
 * academy of conversations that have waited for two. Several processes may do so at once. `now` is the true time.
 */
export async function queueConversationMails(db: Db, academy: MailAcademy, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // One process at a time, so that the hour of a recipient is kept.
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('mails about conversations', 0)) as mine`.execute(trx);
    if (!rows[0]?.mine) return;
    await tellVisitors(trx, academy, now);
    await tellAcademy(trx, academy, now);
  });
}

/** One e-mail however many answers there are, and at most one an hour to a recipient (P24). */
async function tellVisitors(trx: Db, academy: MailAcademy, now: Date): Promise<void> {
  const unread = await trx
    .selectFrom('conversations')
    .innerJoin('conversation_messages', 'conversation_messages.conversation_id', 'conversations.id')
    .select(['conversations.id', 'email', 'mailbox'])
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
            .where('other.told_at', '>', new Date(now.getTime() - hourMs)),
        ),
      ),
    )
    .groupBy('conversations.id')
    .orderBy('conversations.id')
    .limit(100)
    .execute();
  const told = new Set<string | null>();
  for (const { id, email, mailbox, last } of unread) {
    if (email === null || told.has(mailbox)) continue;
    told.add(mailbox);
    const link = academy.url + href('/chat/:token', { token: await makeLinkToken(trx, id) });
    const mail = conversationAnswer({ link, academy });
    await queueMail(trx, { kind: 'conversation-answer', to: email, replyTo: academy.email, secret: true, ...mail });
    await trx.updateTable('conversations').set({ told_of: last, told_at: now }).where('id', '=', id).execute();
  }
}

/** Once for each time a conversation begins to wait. */
async function tellAcademy(trx: Db, academy: MailAcademy, now: Date): Promise<void> {
  const waiting = await trx
    .updateTable('conversations')
    .set({ noticed_at: now })
    .where('state', '=', 'waiting')
    .where('state_at', '<=', new Date(now.getTime() - noticeAfterMs))
    .where(sql<boolean>`(noticed_at is null or noticed_at < state_at)`)
    .returning(['id', 'name', 'email', 'about'])
    .execute();
  for (const { id, name, email, about } of waiting) {
    const message = await trx
      .selectFrom('conversation_messages')
      .select('body')
      .where('conversation_id', '=', id)
      .where('kind', '=', 'visitor')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    const link = academy.url + href('/staff/conversations/:id', { id: String(id) });
    const mail = conversationNotice({ name, email, about, message: message?.body ?? '', link, academy });
    await queueMail(trx, { kind: 'conversation-notice', to: academy.email, ...mail });
  }
}
