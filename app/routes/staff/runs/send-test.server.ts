import type { Db } from '#app/db/client.server.ts';
import type { StaffActor } from '#app/features/people/actor.ts';
import { type Message, type MessageCourse, messageTo } from '#app/features/runs/message.server.ts';
import { type Academy, momentOf } from '#app/http/academy.server.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/** What a test mail is about: the course it names, and the page that it links to. */
export type Sample = { course: MessageCourse; path: string; about: { kind: 'session'; id: number } | 'nothing' };

/**
 * Mails a message to its author, with their own name in it and without anybody's private link. Returns what to tell them.
 */
export async function sendTest(
  academy: Academy,
  sampleOf: (db: Db) => Promise<Sample | null>,
  { message, key, actor }: { message: Message; key: string; actor: StaffActor },
): Promise<string> {
  const moment = momentOf(academy);
  const row = await academy.db
    .selectFrom('people')
    .select('email')
    .where('id', '=', actor.person.id)
    .executeTakeFirst();
  if (!row?.email) return 'Your account has no email address, so no test was sent.';
  const sample = await sampleOf(academy.db);
  if (!sample) return 'There is nothing to test any more.';
  const { course, path, about } = sample;
  const to = row.email;
  const kind = 'attendee' as const;
  const mail = messageTo(
    { called: actor.person.name, reference: 'BB-TEST00', kind },
    { message, course, moment },
    { link: moment.academy.url + path },
  );
  const queued = await academy.db.transaction().execute((trx) =>
    queueMail(trx, {
      kind: 'session-message-test',
      about,
      to,
      replyTo: moment.academy.email,
      dedupeKey: `message-test:${key}`,
      ...mail,
      subject: `Test: ${mail.subject}`,
    }),
  );
  return queued === null ? `We sent this test to ${to} already.` : `We sent a test to ${to}.`;
}
