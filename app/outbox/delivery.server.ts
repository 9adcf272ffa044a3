import type { SendMailOptions } from 'nodemailer';
import type { JobResult } from 'pg-boss';
import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { beginAttempt, endAttempt, type MailToSend, markFailed } from './attempts.server.ts';
import { bossOn, type MailJob, queues } from './queue.server.ts';
import type { Answer, MailTransport } from './transport.server.ts';

export type Delivery = {
  db: Db;
  transport: MailTransport;
  /** The bytes of a document that a mail attaches, by its name; or why it could not be made at the moment. */
  documentOf: (document: string) => Promise<Attachable>;
  /** Whom mail comes from; read for each mail, because settings can change. */
  sender: () => { name: string; address: string };
  trueNow: () => Date;
  log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
};

const atOnce = 4;
const pollSeconds = 2;

/**
 * Delivers queued mail in this process until stopped; other processes may do the same. Every mail is handed over at
 * least once. A second copy is sent only if the end of an earlier attempt is not known, and the attempts then say so.
 */
export async function startDelivery(delivery: Delivery): Promise<{ stop(): Promise<void> }> {
  const boss = bossOn(delivery.db);
  boss.on('error', (error) => {
    if (isConnectionFailure(error)) delivery.log.warn({ job: 'mail' }, 'job put off: the database is away');
    else delivery.log.error({ job: 'mail', err: error }, 'job failed');
  });
  await boss.start();
  const options = { perJobResults: true, pollingIntervalSeconds: pollSeconds } as const;
  for (let count = 0; count < atOnce; count++) {
    const worker = await boss.work<MailJob, object>(queues.mail, options, async (jobs) => {
      const results = jobs.map(async ({ id, data }) => ({ id, ...(await deliver(delivery, data.mailId)) }));
      await Promise.allSettled(results);
      // Another mail may be waiting: this worker looks at once instead of at its next turn.
      boss.notifyWorker(worker);
      return Promise.all(results);
    });
  }
  await boss.work<MailJob>(queues.undelivered, { pollingIntervalSeconds: pollSeconds }, async (jobs) => {
    for (const { data } of jobs) await giveUp(delivery, data.mailId);
  });
  return {
    async stop() {
      await boss.stop({ graceful: true, close: false, timeout: 5_000 });
      delivery.transport.close();
    },
  };
}

/** One attempt. A refusal for good is dead-lettered without further attempts (P49). */
async function deliver(delivery: Delivery, mailId: string): Promise<Pick<JobResult<object>, 'status' | 'output'>> {
  const { db, transport, sender, trueNow, log } = delivery;
  const { address, name } = sender();
  const begun = await beginAttempt(db, mailId, address.slice(address.indexOf('@') + 1), trueNow());
  if (!begun.go) {
    if (begun.why === 'stale') log.warn({ mail: mailId, kind: begun.kind }, 'mail dropped: of no use any more');
    return { status: begun.why === 'tried-enough' ? 'deadletter' : 'completed' };
  }
  const { mail, number } = begun;
  const attached = await attachmentsOf(mail, delivery.documentOf);
  const answer: Answer = attached.ok
    ? await transport.deliver({ ...messageOf(mail, { address, name }), attachments: attached.files })
    : { outcome: 'deferred', text: `A document could not be made: ${attached.why}` };
  await endAttempt(db, { mailId, number, answer, keepsSecrets: transport.keepsSecrets }, trueNow());
  const fields = { mail: mailId, kind: mail.kind, attempt: number, outcome: answer.outcome };
  if (answer.outcome === 'delivered') {
    log.info(fields, 'mail sent');
    return { status: 'completed' };
  }
  log.warn(fields, 'mail not sent');
  return { status: answer.outcome === 'refused' ? 'deadletter' : 'failed', output: { outcome: answer.outcome } };
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

function messageOf(mail: MailToSend, from: { name: string; address: string }): SendMailOptions {
  const calendar = mail.calendar as { method: string; content: string } | null;
  return {
    from,
    to: { name: '', address: mail.recipient },
    replyTo: mail.reply_to ? { name: '', address: mail.reply_to } : undefined,
    subject: mail.subject,
    text: mail.body_text,
    html: mail.body_html,
    icalEvent: calendar ? { ...calendar, filename: 'invite.ics' } : undefined,
    messageId: mail.message_id ?? undefined,
    date: mail.queued_at,
    // Other programs do not answer what says that a program wrote it (RFC 3834).
    headers: { ...(mail.headers as Record<string, string>), 'Auto-Submitted': 'auto-generated' },
  };
}
