import type { SendMailOptions } from 'nodemailer';
import type { Db } from '#app/db/client.server.ts';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { beginAttempt, endAttempt, type MailToSend, markFailed } from './attempts.server.ts';
import { type Filled, filledIn, type PrivateLinks } from './private-links.server.ts';
import { bossOn, type MailJob, queues } from './queue.server.ts';
import type { Answer, MailTransport } from './transport.server.ts';
import { type Attempted, startWorkers } from './workers.server.ts';

export type Delivery = {
  db: Db;
  transport: MailTransport;
  /** The bytes of a document that a mail attaches, by its name; or why it could not be made at the moment. */
  documentOf: (document: string) => Promise<Attachable>;
  /** Makes the private links that mails name. */
  links: PrivateLinks;
  /** Whom mail comes from; read for each mail, because settings can change. */
  sender: () => { name: string; address: string };
  trueNow: () => Date;
  log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
};

const pollSeconds = 2;

/**
 * Delivers queued mail in this process until stopped; other processes may do the same. Every mail is handed over at
 * least once. A second copy is sent only if the end of an earlier attempt is not known, and the attempts then say so.
 */
export async function startDelivery(delivery: Delivery): Promise<{ stop(): Promise<void> }> {
  const boss = bossOn(delivery.db);
  boss.on('error', (error) => {
    const trouble = databaseTrouble(error);
    if (trouble) delivery.log.warn({ job: 'mail' }, `job put off: the database is ${trouble}`);
    else delivery.log.error({ job: 'mail', err: error }, 'job failed');
  });
  await boss.start();
  await boss.work<MailJob>(queues.undelivered, { pollingIntervalSeconds: pollSeconds }, async (jobs) => {
    for (const { data } of jobs) await giveUp(delivery, data.mailId);
  });
  const { db, transport, trueNow, log } = delivery;
  const workers = startWorkers({
    ...{ db, boss, transport, trueNow, log },
    attempt: (mailId) => deliver(delivery, mailId),
    giveUp: (mailId) => giveUp(delivery, mailId),
  });
  return {
    async stop() {
      await workers.stop();
      await boss.stop({ graceful: true, close: false, timeout: 5_000 });
    },
  };
}

/** One attempt. After a refusal for good there are no further ones (P49). */
async function deliver(delivery: Delivery, mailId: string): Promise<Attempted> {
  const { db, transport, links, sender, trueNow, log } = delivery;
  const { address, name } = sender();
  const domain = address.slice(address.indexOf('@') + 1);
  const begun = await beginAttempt(db, { mailId, domain, links }, trueNow());
  if (!begun.go) {
    if ('kind' in begun)
      log.warn({ mail: mailId, kind: begun.kind, why: begun.why }, 'mail dropped: of no use any more');
    if (begun.why === 'busy') return { status: 'failed', output: { outcome: 'busy' }, answer: null };
    return { status: begun.why === 'tried-enough' ? 'deadletter' : 'completed', answer: null };
  }
  const { mail, filled, number } = begun;
  const answer = await handOver(delivery, messageOf(mail, filled, { address, name }), mail);
  const { keepsSecrets } = transport;
  await endAttempt(db, { mailId, number, answer, keepsSecrets, links, filled }, trueNow());
  const fields = { mail: mailId, kind: mail.kind, attempt: number, outcome: answer.outcome };
  if (answer.outcome === 'delivered') {
    log.info(fields, 'mail sent');
    return { status: 'completed', answer };
  }
  log.warn(fields, 'mail not sent');
  return {
    status: answer.outcome === 'refused' ? 'deadletter' : 'failed',
    output: { outcome: answer.outcome },
    answer,
  };
}

/** Makes the documents of a mail and hands it over; without its documents it stays with us. */
async function handOver(delivery: Delivery, message: SendMailOptions, mail: MailToSend): Promise<Answer> {
  let attached: Attachments;
  try {
    attached = await attachmentsOf(mail, delivery.documentOf);
  } catch (err) {
    delivery.log.error({ mail: mail.id, err }, 'documents of a mail could not be made');
    attached = { ok: false, why: 'the log says why' };
  }
  if (!attached.ok) return { outcome: 'deferred', text: `A document could not be made: ${attached.why}` };
  return delivery.transport.deliver({ ...message, attachments: attached.files });
}

/** The documents of a mail, all of them or none. */
async function attachmentsOf(mail: MailToSend, documentOf: Delivery['documentOf']): Promise<Attachments> {
  const attachments = mail.attachments as { filename: string; document: string }[];
  const files: Attachment[] = [];
  for (const { filename, document } of attachments) {
    const made = await documentOf(document);
    if (!made.ok) return made;
    files.push({ filename, content: Buffer.from(made.bytes), contentType: 'application/pdf' });
  }
  return { ok: true, files };
}
type Attachable = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; why: string };
type Attachments = { ok: true; files: Attachment[] } | { ok: false; why: string };
type Attachment = { filename: string; content: Buffer; contentType: string };

async function giveUp({ db, trueNow, log }: Delivery, mailId: string): Promise<void> {
  if (await markFailed(db, mailId, trueNow())) log.error({ mail: mailId }, 'mail failed for good');
}

function messageOf(mail: MailToSend, filled: Filled, from: { name: string; address: string }): SendMailOptions {
  const calendar = mail.calendar as { method: string; content: string } | null;
  return {
    from,
    to: { name: '', address: mail.recipient },
    replyTo: mail.reply_to ? { name: '', address: mail.reply_to } : undefined,
    subject: mail.subject,
    ...filledIn({ text: mail.body_text, html: mail.body_html }, filled),
    icalEvent: calendar ? { ...calendar, filename: 'invite.ics' } : undefined,
    messageId: mail.message_id ?? undefined,
    date: mail.queued_at,
    // Other programs do not answer what says that a program wrote it (RFC 3834).
    headers: { ...(mail.headers as Record<string, string>), 'Auto-Submitted': 'auto-generated' },
  };
}
