import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { checkMail, type Mail, takeBackSeconds, waitsForTakingBack } from './mail.ts';
import { domainGroup, queues, sendJob } from './queue.server.ts';
import { urgencyOf } from './urgency.ts';

/**
 * Puts an email in the caller's transaction: it is sent if and only if the transaction commits (P26). Returns its id,
 * or null when a mail with the same dedupe key was queued before. Throws when the mail is malformed.
 */
export async function queueMail(trx: Db, mail: Mail): Promise<string | null> {
  const checked = checkMail(mail);
  const { kind, about, to, replyTo, subject, text, html, calendar, attachments } = checked;
  const { staleAfter, dedupeKey, headers, links, secret, canTakeBack, bulkAction, courseDate } = checked;
  const afterSeconds = waitsForTakingBack(checked) ? takeBackSeconds : checked.afterSeconds;
  const stored = await trx
    .insertInto('mails')
    .values({
      kind,
      about_kind: about === 'nothing' ? null : about.kind,
      about_id: about === 'nothing' ? null : about.id,
      recipient: to,
      reply_to: replyTo,
      subject,
      body_text: text,
      body_html: html,
      calendar: calendar && JSON.stringify(calendar),
      attachments: JSON.stringify(attachments),
      headers: JSON.stringify(headers),
      stale_after: staleAfter,
      dedupe_key: dedupeKey,
      links,
      secret,
      can_take_back: canTakeBack,
      bulk_action: bulkAction,
      course_date_id: courseDate,
      tries_from: sql<Date>`now() + make_interval(secs => ${afterSeconds})`,
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) return null;
  await sendMailJob(trx, { id: stored.id, kind, recipient: to }, afterSeconds);
  return stored.id;
}

/** Queues the delivery of a stored mail after some seconds, in the caller's transaction. */
export async function queueDelivery(trx: Db, mailId: string, afterSeconds = 0): Promise<void> {
  const mail = await trx
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient'])
    .where('id', '=', mailId)
    .executeTakeFirst();
  if (mail) await sendMailJob(trx, mail, afterSeconds);
}

async function sendMailJob(
  trx: Db,
  { id, kind, recipient }: { id: string; kind: string; recipient: string },
  afterSeconds: number,
): Promise<void> {
  await sendJob(
    trx,
    queues.mail,
    { mailId: id },
    {
      startAfter: afterSeconds,
      priority: urgencyOf(kind),
      group: { id: domainGroup(recipient) },
    },
  );
}
