import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/**
 * What a mail server does with one message: takes it, puts it off (451), refuses it for good (550), never answers,
 * breaks the connection off in the middle of it, or takes it but breaks off before it has said so.
 */
export type SmtpBehaviour = 'take' | 'defer' | 'refuse' | 'hang' | 'drop' | 'take-silently' | { takeAfterMs: number };

type TakenMail = { recipient: string; messageId: string; raw: string; at: number };

/** A real SMTP server on loopback that behaves as told; `behave` is asked once for each attempt. */
export async function startSmtpServer(behave: (recipient: string) => SmtpBehaviour, port = 0) {
  const taken: TakenMail[] = [];
  const behaviours = new Map<string, SmtpBehaviour>();
  const timers = new Set<NodeJS.Timeout>();
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, session, done) {
      const behaviour = behave(address);
      behaviours.set(session.id, behaviour);
      if (behaviour === 'defer') done(withCode(451, 'Try again later'));
      else if (behaviour === 'refuse') done(withCode(550, 'No such mailbox'));
      else done();
    },
    onData(stream, session, done) {
      const behaviour = behaviours.get(session.id) ?? 'take';
      if (behaviour === 'drop') {
        stream.once('data', () => socketOf(server, session)?.destroy());
        stream.resume();
        return;
      }
      void textOf(stream).then((raw) => {
        if (behaviour === 'hang') return;
        const take = () => {
          const messageId = /^message-id:\s*(\S+)/im.exec(raw)?.[1] ?? '';
          const recipient = session.envelope.rcptTo[0]?.address ?? '';
          taken.push({ recipient, messageId, raw, at: Date.now() });
        };
        if (behaviour === 'take-silently') {
          take();
          socketOf(server, session)?.destroy();
        } else if (typeof behaviour === 'object') {
          // The message is the server's as soon as it has arrived; only its answer is late.
          take();
          const timer = setTimeout(() => {
            timers.delete(timer);
            done();
          }, behaviour.takeAfterMs);
          timers.add(timer);
        } else {
          take();
          done();
        }
      });
    },
  });
  // Connections that break off are what is asked for.
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

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The library has no way to break a connection off, so its own list of them is used. */
function connectionsOf(server: SMTPServer) {
  return [...(server as unknown as { connections: Set<{ id: string; _socket?: Socket }> }).connections];
}

function socketOf(server: SMTPServer, session: SMTPServerSession): Socket | undefined {
  return connectionsOf(server).find(({ id }) => id === session.id)?._socket;
}
