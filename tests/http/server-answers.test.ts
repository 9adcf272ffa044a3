import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { createHttpServer } from '#server/http-server.ts';
import { sendRaw } from '#tests/support/raw-http.ts';
import { expectSecurityHeaders } from '#tests/support/security-headers.ts';

const readBody = async (request: Request) => {
  if (request.url.endsWith('/half')) {
    return new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('begun')) }));
  }
  const text = await request.text().catch(() => 'left');
  return new Response(`handled ${text.length}\n`);
};
const servers: Server[] = [];

async function listen(options: Partial<Parameters<typeof createHttpServer>[1]> = {}): Promise<number> {
  const server = createHttpServer(readBody, { https: true, ...options });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

let port: number;
beforeAll(async () => {
  port = await listen();
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

const tail = 'Host: x\r\nConnection: close\r\n\r\n';
test.each([
  ['another protocol', 'GET / FTP/1.1\r\n\r\n', 400],
  ['a broken header', `GET / HTTP/1.1\r\nbro ken: x\r\n${tail}`, 400],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['two hosts', `GET / HTTP/1.1\r\nHost: evil.example\r\n${tail}`, 400],
  ['an invalid host', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
  ['an invalid target', `GET x HTTP/1.1\r\n${tail}`, 400],
  ['two lengths', `POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${tail}`, 400],
  ['an expectation', `GET / HTTP/1.1\r\nExpect: a-miracle\r\n${tail}`, 417],
  ['headers too long', `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n${tail}`, 431],
  ['an address too long', `GET /?search=${'x'.repeat(20_000)} HTTP/1.1\r\n${tail}`, 431],
  [
    'chunk extensions too long',
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    413,
  ],
  ['an unknown method', `BREW / HTTP/1.1\r\n${tail}`, 501],
  ['a proxy’s method', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n', 501],
])('%s: the status, an explanation and the common headers', async (_what, bytes, status) => {
  const answer = await sendRaw(port, bytes);
  expect(answer.status).toBe(status);
  expectSecurityHeaders(answer.headers);
  expect(answer.body).toMatch(/^\S.+\n$/);
});

test('HTTP/1.0 needs no Host header: load balancers use it for health checks', async () => {
  const answer = await sendRaw(port, 'GET / HTTP/1.0\r\n\r\n');
  expect(answer).toMatchObject({ status: 200, body: 'handled 0\n' });
});

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n123'],
])('a client that never finishes %s is disconnected soon after the time limit', async (_what, bytes) => {
  const slow = await listen({ headersTimeoutMs: 200, requestTimeoutMs: 300 });
  const slower = await listen({ headersTimeoutMs: 10_000, requestTimeoutMs: 10_000 });
  const waiting = connect(slower, '127.0.0.1');
  const cutOff: string[] = [];
  waiting.once('data', () => cutOff.push('slower'));
  waiting.write(bytes);
  const answer = await sendRaw(slow, bytes);
  waiting.destroy();
  expect(cutOff).toEqual([]);
  expect(answer.status).toBe(408);
  expectSecurityHeaders(answer.headers);
});

test('an idle connection is kept for longer than a request may take to arrive, and then closed', async () => {
  const kept = await listen({ headersTimeoutMs: 200, requestTimeoutMs: 300, keepAliveMs: 1_500 });
  const socket = connect(kept, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const answers = () => text.match(/handled 0/g)?.length ?? 0;
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => answers() === 1);
  expect(text).toContain('Keep-Alive: timeout=1\r\n');
  // Cut off for its time: so long the first connection has been idle.
  expect((await sendRaw(kept, 'GET / HTTP/1.1\r\nHost: x\r\n')).status).toBe(408);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => answers() === 2);
  await once(socket, 'close');
  expect(answers()).toBe(2);
});

test('without a setting idle connections stay for longer than the 60 seconds of load balancers', async () => {
  const answer = await sendRaw(
    port,
    'GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(answer.headers.get('Keep-Alive')).toBe('timeout=65');
});

test('a malformed request after a started response adds nothing to that response', async () => {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write('GET /half HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => text.includes('begun'));
  socket.write('nonsense\r\n\r\n');
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
