import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { SmtpServer } from '#app/env.server.ts';

/** How an attempt ended; `text` is the answer of the server, or what happened instead of one. */
export type Answer = { outcome: 'delivered' | 'deferred' | 'refused' | 'unknown'; text: string };

/** A way to hand over mail. Nothing that fails outside the program throws. */
export type MailTransport = {
  /** For the lines of a start. */
  description: string;
  /** Its files are beside the database anyway, so secrets are erased from the database only when they are stale. */
  keepsSecrets: boolean;
  deliver(message: SendMailOptions): Promise<Answer>;
  /**
   * Whether it could hand over a mail: connects and signs in, without one. `text` is what came instead of an answer.
   */
  check(): Promise<{ ok: boolean; text: string }>;
  close(): void;
};

/** Handing a mail over takes no longer, so that the queue's expiry never meets a living attempt. */
export const handOverMs = 40_000;

/** The longest time of a check; no mail is taken in it. */
const checkMs = 10_000;
/** As many as the workers can use at once: with fewer, connections that hang would keep other mail waiting. */
const connections = 16;

/** Hands mail to an SMTP server over connections that are kept open, sixteen at most. */
export function smtpTransport({ host, port, secure, auth, answerMs }: SmtpServer): MailTransport {
  const transport = createTransport({
    pool: true,
    maxConnections: connections,
    // Retries are the outbox's, which records them.
    maxRequeues: 0,
    host,
    port,
    secure,
    // A password never crosses the network in the clear.
    requireTLS: auth !== undefined && !secure && !isLoopback(host),
    auth,
    connectionTimeout: Math.min(10_000, answerMs),
    greetingTimeout: Math.min(10_000, answerMs),
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  /** The source of each message during delivery, by its Message-ID, which belongs to one mail. */
  const bodies = new Map<string, Readable[]>();
  transport.use('stream', ({ message }, done) => {
    const create = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      const body = create(options);
      bodies.get(message.messageId())?.push(body);
      return body;
    };
    done();
  });
  return {
    keepsSecrets: false,
    description: `by SMTP through ${host}:${port}`,
    async deliver(message) {
      const id = message.messageId ?? '';
      const read: Readable[] = [];
      bodies.set(id, read);
      try {
        const { response } = await transport.sendMail({ ...message, signal: AbortSignal.timeout(handOverMs) });
        return { outcome: 'delivered', text: response };
      } catch (error) {
        // The message is not read before the server has answered DATA with "go ahead".
        const begun = read.some(({ readableDidRead }) => readableDidRead);
        return answerOf(error, begun);
      } finally {
        if (bodies.get(id) === read) bodies.delete(id);
      }
    },
    async check() {
      const late = sleep(checkMs, { ok: false, text: 'No answer in time' }, { ref: false });
      const asked = transport.verify().then(
        () => ({ ok: true, text: '' }),
        (error: unknown) => ({ ok: false, text: answerOf(error, false).text }),
      );
      return Promise.race([asked, late]);
    },
    close: () => transport.close({ force: true }),
  };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * The meaning of a failed attempt; `begun`: whether the server had begun to take the message itself. A 5xx about the
 * sender, the recipient or the message is a permanent refusal; a 5xx about the sign-in or the greeting is a fault of
 * the set-up, which an operator repairs while the mail waits. If the connection ends before the message has begun, the
 * mail is still ours, whether the server was away, had no valid certificate or broke off; afterwards nobody knows.
 */
function answerOf(error: unknown, begun: boolean): Answer {
  const { code = '', command = '', response, responseCode = 0, message = String(error) } = error as SmtpFault;
  const text = response ?? `${code} ${message}`.trim();
  if (responseCode >= 500 && ['MAIL FROM', 'RCPT TO', 'DATA'].includes(command)) return { outcome: 'refused', text };
  if (code === 'EMESSAGE' && responseCode === 0) return { outcome: 'refused', text };
  if (responseCode >= 400 || !begun) return { outcome: 'deferred', text };
  return { outcome: 'unknown', text };
}
type SmtpFault = { code?: string; command?: string; response?: string; responseCode?: number; message?: string };

/** The folder of mail written to files, under the data folder. */
export const mailFolder = 'mail';

/** The path of a mail's file under the data folder, by its id. */
export function mailFile(id: string): string {
  return path.join(mailFolder, `${id}.eml`);
}

/** Writes mail as .eml files, one for each Message-ID, so that another attempt replaces the file of the first. */
export function fileTransport(dataDir: string): MailTransport {
  const folder = path.join(dataDir, mailFolder);
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    keepsSecrets: true,
    description: `as files in ${folder}`,
    async deliver(message) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const { message: bytes, messageId } = await transport.sendMail(message);
        const file = mailFile(messageId.replace(/^<|@.*$/g, ''));
        await writeWhole(path.join(dataDir, file), bytes as Buffer);
        return { outcome: 'delivered', text: `Written to ${file}` };
      } catch (error) {
        return { outcome: 'deferred', text: error instanceof Error ? error.message : String(error) };
      }
    },
    // A full disk shows with the mail itself.
    check: async () => ({ ok: true, text: '' }),
    close: () => transport.close(),
  };
}

/** Writes a file so that a reader finds it whole or not at all, also after a crash. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}
