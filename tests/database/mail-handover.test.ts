import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { smtpTransport } from '#app/outbox/transport.server.ts';

const message = {
  from: { name: 'Academy', address: 'hello@academy.example' },
  to: { name: '', address: 'ada@example.com' },
  subject: 'Hello',
  text: 'Text',
  html: '<p>Text</p>',
  messageId: '<1@academy.example>',
};
let stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.reverse()) stop();
  stops = [];
});

/** A certificate that nobody signed but its own key, and the key: both are used nowhere else. */
const untrusted = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ/jg8/FwxyHR/ppA
L/VqjZPNHG+arfxC1skeGRjQ6yuhRANCAAQOjCIocnD16tT6I3HmUHQKVo0ZsjtC
SfeVa86tYl9rcfC4LZV+2sXEvjzWkGpYjGN/Rq5OupPsHKDydz6oPtmR
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBhjCCASugAwIBAgIUWMpLvPUdT4XlSrMB4bskWkuc3bEwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMbWFpbC5leGFtcGxlMCAXDTI2MTEyMjE2MjUwM1oYDzIxMjYx
MDI5MTYyNTAzWjAXMRUwEwYDVQQDDAxtYWlsLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAAQOjCIocnD16tT6I3HmUHQKVo0ZsjtCSfeVa86tYl9rcfC4
LZV+2sXEvjzWkGpYjGN/Rq5OupPsHKDydz6oPtmRo1MwUTAdBgNVHQ4EFgQUdMH1
aSXBJ4dWo/oG83CIFBJb9QEwHwYDVR0jBBgwFoAUdMH1aSXBJ4dWo/oG83CIFBJb
9QEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAgA6obrh+Qyhu
YFj7apV/iWwI+823BptLZAfjjFSoQ6MCIQCcS9i6Pp/SAWfXT9WdvW08fxeVEaJL
1nJhzYOWt4DuGw==
-----END CERTIFICATE-----`,
};

/** One attempt at a port of this computer. */
async function attempt(port: number, secure = false) {
  const transport = smtpTransport({ host: '127.0.0.1', port, secure, auth: undefined, answerMs: 2000 });
  try {
    return await transport.deliver(message);
  } finally {
    transport.close();
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A server that answers each line of a client by what it begins with; null ends the connection. */
async function server(answers: [line: string, answer: string | null][], greeting: string | null = '220 ready') {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const say = (answer: string | null) => (answer === null ? socket.destroy() : socket.write(`${answer}\r\n`));
    say(greeting);
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const found = answers.find(([beginning]) => (beginning === '.' ? line === '.' : line.startsWith(beginning)));
        if (found) say(found[1]);
      }
    });
  });
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return listening(listener);
}
const polite: [string, string][] = [
  ['EHLO', '250 ok'],
  ['MAIL FROM', '250 ok'],
  ['RCPT TO', '250 ok'],
  ['DATA', '354 go ahead'],
  ['.', '250 taken'],
];
/** The same server, which answers one command otherwise. */
const except = (line: string, answer: string | null) =>
  polite.map(([one, usual]): [string, string | null] => [one, one === line ? answer : usual]);

test('a failure before the server begins to take the message means that the mail was not handed over', async () => {
  const closed = createServer();
  const refused = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));

  const tls = createTlsServer(untrusted);
  tls.on('tlsClientError', () => undefined);
  stops.push(() => void tls.close());

  const outcomes = {
    'refused port': await attempt(refused),
    'self-signed certificate': await attempt(await listening(tls), true),
    'cut before the greeting': await attempt(await server([], null)),
    'cut after MAIL FROM': await attempt(await server(except('MAIL FROM', null))),
    'cut after RCPT TO': await attempt(await server(except('RCPT TO', null))),
    'cut after DATA': await attempt(await server(except('DATA', null))),
    'silent after RCPT TO': await attempt(await server(polite.slice(0, 2))),
    'put off after the message': await attempt(await server(except('.', '451 later'))),
  };
  expect(Object.entries(outcomes).map(([how, { outcome }]) => [how, outcome])).toEqual(
    Object.keys(outcomes).map((how) => [how, 'deferred']),
  );
  expect(outcomes['refused port'].text).toContain('ECONNREFUSED');
  expect(outcomes['self-signed certificate'].text).toContain('self-signed certificate');
});

test('if the connection breaks off in the message or after it, the server may have taken the mail', async () => {
  const outcomes = {
    'cut in the message': await attempt(await server([...polite.slice(0, 4), ['From:', null]])),
    'cut after the dot': await attempt(await server(except('.', null))),
    'silent after the dot': await attempt(await server(polite.slice(0, 4))),
  };
  expect(Object.entries(outcomes).map(([how, { outcome }]) => [how, outcome])).toEqual(
    Object.keys(outcomes).map((how) => [how, 'unknown']),
  );
  expect((await attempt(await server(polite))).outcome).toBe('delivered');
  expect((await attempt(await server(except('.', '550 spam')))).outcome).toBe('refused');
});
