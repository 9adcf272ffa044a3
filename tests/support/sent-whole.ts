import { connect, type Socket } from 'node:net';

/** `refused`: nothing was sent. `lost`: the connection was made, and ended without a whole answer. */
type Outcome = { kind: 'answered'; status: number; location: string } | { kind: 'refused' } | { kind: 'lost' };

export type Sent = {
  /** Settles when the whole request has left this process, or never can. */
  written: Promise<void>;
  outcome: Promise<Outcome>;
};

/** Sends a whole request at once on a connection of its own, as proxies do that keep no connections. */
export function sendWhole(port: number, request: string): Sent {
  const socket = connect(port, '127.0.0.1');
  const connected = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
  const outcome = read(socket, connected);
  return {
    written: new Promise((resolve) => {
      socket.once('connect', () => socket.write(request, () => resolve()));
      socket.once('close', () => resolve());
    }),
    outcome,
  };
}

/** A request of somebody with a network address of their own, seen through a trusted proxy. */
export function wholeRequest(
  number: number,
  { method = 'GET', path, form }: { method?: 'GET' | 'POST'; path: string; form?: Record<string, string> },
): string {
  const body = form ? new URLSearchParams(form).toString() : '';
  const fields = [
    'Host: localhost',
    `X-Forwarded-For: 10.7.${(number >> 8) & 255}.${number & 255}`,
    ...(form
      ? [
          'Sec-Fetch-Site: same-origin',
          'Content-Type: application/x-www-form-urlencoded',
          `Content-Length: ${Buffer.byteLength(body)}`,
        ]
      : []),
  ];
  return [`${method} ${path} HTTP/1.1`, ...fields, '', body].join('\r\n');
}

async function read(socket: Socket, connected: Promise<boolean>): Promise<Outcome> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  if (!(await connected)) return { kind: 'refused' };
  const text = Buffer.concat(chunks).toString('latin1');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
  if (!status || !isWhole(text)) return { kind: 'lost' };
  return { kind: 'answered', status: Number(status), location: /^location: (.*)\r$/im.exec(text)?.[1] ?? '' };
}

/** Whether an answer has all that its headers announce. */
function isWhole(text: string): boolean {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  if (bodyAt < 4) return false;
  const length = /^content-length: (\d+)\r$/im.exec(text.slice(0, bodyAt))?.[1];
  if (length !== undefined) return text.length - bodyAt >= Number(length);
  return /^transfer-encoding: chunked\r$/im.test(text.slice(0, bodyAt)) ? text.endsWith('0\r\n\r\n') : true;
}
