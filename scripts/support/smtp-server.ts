import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/**
 * What a mail server does with a message: takes it, puts it off (451), refuses it for good (550), never answers, breaks
 * the connection off in the middle of it, takes it and breaks off before it says so, or says so late.
 */
export type SmtpBehaviour = 'take' | 'defer' | 'refuse' | 'hang' | 'drop' | 'take-silently' | { takeAfterMs: number };

type TakenMail = { recipient: string; messageId: string; raw: string };

type Behaviours = {
  /** Any free port unless it is given, as for a server that comes back. */
  port?: number;
  /** Asked for a recipient, before the message. */
  onRecipient?: (recipient: string) => 'take' | 'defer' | 'refuse';
  /** Asked once the head of a message has arrived. */
  onMessage?: (message: { messageId: string; recipient: string }) => SmtpBehaviour;
};

/** A real SMTP server on loopback that behaves as told. */
export async function startSmtpServer({ port = 0, onRecipient = () => 'take', onMessage = () => 'take' }: Behaviours) {
  const taken: TakenMail[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const refusals = { defer: withCode(451, 'Try again later'), refuse: withCode(550, 'No such mailbox') };
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const behaviour = onRecipient(address);
      done(behaviour === 'take' ? null : refusals[behaviour]);
    },
    onData(stream, session, done) {
      const breakOff = () => socketOf(server, session)?.destroy();
      // A client that was killed in the middle of a message is nothing to answer.
      const whole = behaveWith(stream, session).catch(() => null);
      void whole.then((result) => {
        if (!result || result.behaviour === 'hang') return;
        const { behaviour, mail } = result;
        if (behaviour === 'drop') breakOff();
        else if (behaviour === 'defer' || behaviour === 'refuse') done(refusals[behaviour]);
        else {
          // The server has the message as soon as it arrived, whenever it says so.
          taken.push(mail);
          if (behaviour === 'take') done();
          else if (behaviour === 'take-silently') breakOff();
          else later(behaviour.takeAfterMs, () => done());
        }
      });
    },
  });
  async function behaveWith(stream: Readable, session: SMTPServerSession) {
    const recipient = session.envelope.rcptTo[0]?.address ?? '';
    let [raw, messageId] = ['', ''];
    let behaviour: SmtpBehaviour | null = null;
    for await (const chunk of stream) {
      raw += String(chunk);
      messageId = /^message-id:\s*(\S+)/im.exec(raw)?.[1] ?? '';
      if (behaviour === null && messageId !== '') behaviour = onMessage({ messageId, recipient });
      if (behaviour === 'drop') break;
    }
    return { behaviour: behaviour ?? 'take', mail: { recipient, messageId, raw } };
  }
  function later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  }
  // Tests ask for connections that break off.
  server.on('error', () => undefined);
  const listener = server.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    taken,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const connection of connectionsOf(server)) connection._socket?.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function withCode(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** The library has no way to break a connection off, so its own list of them is used. */
function connectionsOf(server: SMTPServer) {
  return [...(server as unknown as { connections: Set<{ id: string; _socket?: Socket }> }).connections];
}

function socketOf(server: SMTPServer, session: SMTPServerSession): Socket | undefined {
  return connectionsOf(server).find(({ id }) => id === session.id)?._socket;
}
