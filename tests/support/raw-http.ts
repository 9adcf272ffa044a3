import { once } from 'node:events';
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Headers; body: string; text: string };

/**
 * Sends raw bytes to a server on this machine and returns what it sent until it closed the connection; if there are
 * several responses, the first.
 */
export async function sendRaw(port: number, bytes: string): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may close before it has read everything.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1),
  ]);
  return { status: Number(statusLine.split(' ')[1]), headers: new Headers(pairs), body, text };
}
