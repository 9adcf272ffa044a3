import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import type { InboundEmail } from '#app/features/inbox/email/email.ts';
import { type Arrived, type Taken, takeInboundEmail } from '#app/features/inbox/email/take.server.ts';
import type { Log } from '#app/http/log.server.ts';
import type { Services } from './services.ts';

/** The largest email, with its files as they travel: some 11 MB of files. */
export const mostEmailBytes = 15 * 1024 * 1024;
/** At once; the mail server waits with the others. */
const mostConnections = 5;
const idleMs = 60_000;
/** How often a program asks for the port that another one has. */
const takeOverMs = 2_000;

type Open = Pick<Services, 'database' | 'clock' | 'emails' | 'academy' | 'stopping'>;

/**
 * Takes the emails that the academy's mail server hands over (P81): by SMTP, for addresses of the academy's domain, and
 * says yes only once an email is stored. While the program or its database cannot store, it says "later", and the mail
 * server keeps the email and tries again for days. Of several programs on a machine one has the port, and another takes
 * over when it stops. Rejects when the port cannot be had at all.
 */
export async function serveInboundMail(
  at: { port: number; host: string },
  services: () => Open | null,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const server = new SMTPServer({
    banner: 'Bowerbird Academy takes email for itself only',
    authOptional: true,
    // The mail server is on this machine or in a network of ours, as are the metrics.
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: mostEmailBytes,
    maxClients: mostConnections,
    socketTimeout: idleMs,
    // The mail server hands interrupted emails over again.
    closeTimeout: 2_000,
    onMailFrom(_address, _session, done) {
      const open = services();
      done(open && !open.stopping ? null : later('The program cannot take email at the moment'));
    },
    onRcptTo({ address }, _session, done) {
      const own = services()?.academy.academy().email ?? '';
      // Any address at the domain: the mail server knows which of them are the academy's.
      done(domainOf(address) === domainOf(own) ? null : refused(550, 'This is no address of the academy'));
    },
    onData(stream, { envelope }, done) {
      const { mailFrom } = envelope;
      const sender = mailFrom ? mailFrom.address : '';
      take(stream, sender).then(
        (why) => done(why),
        (error: unknown) => done(formTrouble(error)),
      );
    },
  });

  async function take(stream: SMTPServerDataStream, envelopeSender: string): Promise<Error | null> {
    const source = await bytesOf(stream);
    if (!source) return refused(552, `This email is larger than ${mostEmailBytes / 1024 / 1024} MB`);
    const open = services();
    if (!open || open.stopping) return later('The program cannot take email at the moment');
    const email = await read(open, source);
    const taken = await store(open, { email, source, envelopeSender });
    log.info({ email: taken.what, bytes: source.length, ...referenceOf(taken) }, 'email taken');
    if (taken.what === 'too-much') return refused(452, 'Enough came in today; please try again later');
    return taken.what === 'nobody' ? refused(554, 'This email names no address that could be answered') : null;
  }

  /**
   * An email that cannot be stored as it was read is stored raw; otherwise the mail server would hand it over for ever.
   */
  async function store(open: Open, arrived: Arrived): Promise<Taken> {
    const { database, clock, academy } = open;
    const ourAddress = academy.academy().email;
    const as = (one: Arrived) =>
      database.db.transaction().execute((trx) => takeInboundEmail(trx, one, { now: clock.now(), ourAddress }));
    try {
      return await as(arrived);
    } catch (err) {
      if (databaseTrouble(err) || !arrived.email) throw err;
      log.error({ err, bytes: arrived.source.length }, 'an email could not be kept as it was read');
      return as({ ...arrived, email: null });
    }
  }

  /** Null for what cannot be read: it is stored as it came. */
  async function read({ emails }: Open, source: Uint8Array<ArrayBuffer>): Promise<InboundEmail | null> {
    try {
      return await emails.do({ kind: 'read', source });
    } catch (err) {
      log.warn({ err, bytes: source.length }, 'an email could not be read and is kept as it came');
      return null;
    }
  }

  function formTrouble(error: unknown): Error {
    const trouble = databaseTrouble(error);
    if (trouble) log.warn({ trouble }, 'email put off: the database is away or busy');
    else log.error({ err: error }, 'email not taken; the mail server will hand it over again');
    return later('It could not be saved');
  }

  // A client that breaks off is nothing to answer.
  server.on('error', () => undefined);
  const stopped = new AbortController();
  if (!(await listen())) {
    log.info({ port: at.port }, 'another program takes the emails; this one takes over when it stops');
    takeOver().catch((err) => log.error({ err, port: at.port }, 'no email is taken: the port cannot be had'));
  }

  /** False while another program has the port. */
  async function listen(): Promise<boolean> {
    try {
      await once(server.listen(at.port, at.host), 'listening');
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === 'EADDRINUSE') return false;
      throw error;
    }
  }

  async function takeOver(): Promise<void> {
    do {
      await sleep(takeOverMs, null, { signal: stopped.signal, ref: false }).catch(() => null);
    } while (!(stopped.signal.aborted || (await listen())));
  }

  return {
    async close() {
      stopped.abort();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

const referenceOf = (taken: Taken) => (taken.what === 'stored' ? { reference: taken.reference } : {});

/** All of an email, or null for one that is too large, which is read to its end all the same. */
async function bytesOf(stream: SMTPServerDataStream): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as Readable) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
  return stream.sizeExceeded ? null : Buffer.concat(chunks);
}

const refused = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });
const later = (why: string): Error => refused(451, `${why}; please try again later`);
