import type { SendMailOptions } from 'nodemailer';
import type { Db } from '#app/db/client.server.ts';
import { isConnectionFailure } from '#app/db/connection-failure.server.ts';
import { forgetFault, recordFault } from '#app/jobs/each-item.server.ts';
import { jobLog } from '#app/jobs/job-log.server.ts';
import type { Clock } from '#app/lib/clock.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { beginAttempt, endAttempt, type MailToSend, markFailed } from './attempts.server.ts';
import { type Filled, filledIn, type PrivateLinks } from './private-links.server.ts';
import { bossOn, type MailJob, queues } from './queue.server.ts';
import type { Answer, MailTransport } from './transport.server.ts';
import { type Attempted, startWorkers } from './workers.server.ts';

/** The bytes of a document, or why it could not be made at the moment. */
export type Attachable = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; why: string };

type Attaching = {
  db: Db;
  documentOf: (document: string) => Promise<Attachable>;
  clock: Clock;
  log: { error(fields: object, message: string): void };
};
type Attachment = { filename: string; content: Buffer; contentType: string };

/** The sentence for staff about documents that hold mails back. */
const documentsJob = 'attach documents to emails';
/** A busy document thread is no fault until this many attempts. */
const patientAttempts = 5;

/**
 * The documents of a mail, all of them or none, within so many milliseconds for all together. Staff see why it waits:
 * at once when a document is faulty, after some attempts when there was no time to draw it.
 */
export async function attach(
  { db, documentOf, clock, log }: Attaching,
  mail: { id: string; attachments: unknown },
  { number, withinMs }: { number: number; withinMs: number },
) {
  const files: Attachment[] = [];
  const { promise: late, resolve } = Promise.withResolvers<Attachable>();
  const timer = setTimeout(resolve, withinMs, { ok: false, why: 'too-long' });
  try {
    for (const { filename, document } of mail.attachments as { filename: string; document: string }[]) {
      const fault = { job: documentsJob, item: document, at: clock.now() };
      try {
        const made = await Promise.race([documentOf(document), late]);
        if (!made.ok) {
          if (number >= patientAttempts) await recordFault(db, { ...fault, error: made.why });
          return made;
        }
        if (number > 1) await forgetFault(db, documentsJob, document);
        files.push({ filename, content: Buffer.from(made.bytes), contentType: 'application/pdf' });
      } catch (error) {
        if (isConnectionFailure(error)) return { ok: false, why: 'the database did not answer' } as const;
        log.error({ mail: mail.id, err: error }, 'documents of a mail could not be made');
        await recordFault(db, { ...fault, error });
        return { ok: false, why: 'the page of jobs that failed says why' } as const;
      }
    }
    return { ok: true, files } as const;
  } finally {
    clearTimeout(timer);
  }
}

export type MailDelivery = {
  db: Db;
  transport: MailTransport;
  /** The bytes of a document that a mail attaches, by its name; or why it could not be made at the moment. */
  documentOf: (document: string) => Promise<Attachable>;
  /** Makes the private links that mails name. */
  links: PrivateLinks;
  /** The sender; read for each mail, because settings can change. */
  sender: () => { name: string; address: string };
  clock: Clock;
  log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
};

const pollSeconds = 2;

/**
 * From the beginning of an attempt until its mail is handed over. With the longest time for handing it over it stays
 * below the time after which the queue takes the attempt for lost and begins another.
 */
export const preparedWithinMs = 15_000;

/**
 * Delivers queued mail in this process until stopped; other processes may do the same. Every mail is handed over at
 * least once. A second copy is sent only if the end of an earlier attempt is not known, and the attempts then say so.
 */
export async function startDelivery(delivery: MailDelivery): Promise<{ stop(): Promise<void> }> {
  const boss = bossOn(delivery.db);
  const told = jobLog(delivery.log, 'mail');
  boss.on('error', told.failed);
  await boss.start();
  await boss.work<MailJob>(queues.undelivered, { pollingIntervalSeconds: pollSeconds }, async (jobs) => {
    for (const { data } of jobs) await giveUp(delivery, data.mailId);
  });
  const { db, transport, clock, log } = delivery;
  const workers = startWorkers({
    ...{ db, boss, transport, clock, log, told },
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

/** One attempt. A permanent refusal ends the attempts (P49). */
async function deliver(delivery: MailDelivery, mailId: string): Promise<Attempted> {
  const { db, transport, links, sender, clock, log } = delivery;
  const { address, name } = sender();
  const domain = address.slice(address.indexOf('@') + 1);
  const readyBy = performance.now() + preparedWithinMs;
  const begun = await beginAttempt(db, { mailId, domain, links }, clock.now());
  if (!begun.go) {
    if ('kind' in begun)
      log.warn({ mail: mailId, kind: begun.kind, why: begun.why }, 'mail dropped: of no use any more');
    // Looked at again within five minutes.
    if (begun.why === 'busy' || begun.why === 'held')
      return { status: 'failed', output: { outcome: begun.why }, answer: null };
    return { status: 'completed', answer: null };
  }
  const { mail, filled, number } = begun;
  const attached = await attach(delivery, mail, { number, withinMs: readyBy - performance.now() });
  const whyNot = !attached.ok
    ? `A document could not be made: ${attached.why}`
    : performance.now() > readyBy
      ? 'It took too long to prepare it'
      : null;
  const answer: Answer =
    attached.ok && whyNot === null
      ? await transport.deliver({ ...messageOf(mail, filled, { address, name }), attachments: attached.files })
      : { outcome: 'deferred', text: whyNot ?? '' };
  const { keepsSecrets } = transport;
  await endAttempt(db, { mailId, number, answer, keepsSecrets, links, filled }, clock.now());
  const fields = { mail: mailId, kind: mail.kind, attempt: number, outcome: answer.outcome };
  if (answer.outcome === 'delivered') {
    log.info(fields, 'mail sent');
    return { status: 'completed', answer };
  }
  if (answer.outcome === 'refused') {
    log.error(fields, 'mail failed for good');
    return { status: 'completed', answer };
  }
  log.warn(fields, 'mail not sent');
  return {
    status: mail.isLastTry ? 'deadletter' : 'failed',
    output: { outcome: answer.outcome },
    // A mail that was not handed over says nothing about the mail server.
    answer: whyNot === null ? answer : null,
  };
}

async function giveUp({ db, clock, log }: MailDelivery, mailId: string): Promise<void> {
  if (await markFailed(db, mailId, clock.now())) log.error({ mail: mailId }, 'mail failed for good');
}

function messageOf(mail: MailToSend, filled: Filled, from: { name: string; address: string }): SendMailOptions {
  const headers = mail.headers as Record<string, string>;
  const calendar = mail.calendar as { method: string; content: string } | null;
  const words = filledIn({ text: mail.body_text, html: mail.body_html }, filled);
  return {
    from,
    to: { name: '', address: mail.recipient },
    replyTo: mail.reply_to ? { name: '', address: mail.reply_to } : undefined,
    subject: mail.subject,
    ...(mail.late ? withLateNote(words, mail.queued_at) : words),
    icalEvent: calendar ? { ...calendar, filename: 'invite.ics' } : undefined,
    messageId: mail.message_id ?? undefined,
    date: mail.queued_at,
    headers: {
      ...headers,
      // Some relays give a mail another Message-ID. An answer to that names the References of this mail: itself.
      ...(mail.message_id && { References: [headers.References, mail.message_id].filter(Boolean).join(' ') }),
      // Out-of-office programs send no reply to mail with this header (RFC 3834). A person wrote an answer.
      ...(mail.kind === 'enquiry-answer' ? {} : { 'Auto-Submitted': 'auto-generated' }),
    },
  };
}

const style =
  'margin:0 0 18px;padding:2px 0 2px 16px;border-left:4px solid #e8c872;color:#171334;font-size:17px;line-height:26px';

/**
 * The words of a mail that was handed over long after it was written, with a sentence in front that says so: what it tells
 * may have changed since, and newer mail may have arrived before it.
 */
function withLateNote(words: { text: string; html: string }, writtenAt: Date): { text: string; html: string } {
  const note = `We wrote this email on ${formatMoment(writtenAt)} (Brisbane time) and could not deliver it until now. If a newer email from us, or a page linked below, says something else, rely on that instead.`;
  const inHtml = `<p class="ink" style="${style}">${note}</p>`;
  return {
    text: `${note}\n\n${words.text}`,
    html: words.html.replace(/<h1\b|$/, (heading) => inHtml + heading),
  };
}
