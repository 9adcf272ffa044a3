import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { emailField } from '#app/http/form-texts.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { until } from '#scripts/support/until.ts';
import { deliverMail, sampleMail, toServer } from '#tests/support/deliver-mail.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

/** A mail server that keeps the lines it is sent as they are: a library would show addresses in a form of its own. */
async function plainServer() {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let inMessage = false;
    socket.write('220 here\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (inMessage && line !== '.') return;
      if (!inMessage) lines.push(line);
      inMessage = !inMessage && line === 'DATA';
      socket.write(inMessage ? '354 go on\r\n' : '250 well\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    lines,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('the mail server gets the address as a person typed it in a form', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  const server = await plainServer();
  const wanted = new Map([
    ['r&d@example.com', 'r&d@example.com'],
    ['x/y=z@example.com', 'x/y=z@example.com'],
    ['user!@example.com', 'user!@example.com'],
    ['user@example.xn--p1ai', 'user@example.xn--p1ai'],
    ['joerg@bücher.example', 'joerg@xn--bcher-kva.example'],
    ["o'brien+news@example.com.au", "o'brien+news@example.com.au"],
    ['a{b}|c~d@example.com', 'a{b}|c~d@example.com'],
  ]);
  for (const typed of wanted.keys()) {
    const to = emailField.parse(typed);
    await queueMail(db, { ...sampleMail, to, replyTo: to });
  }
  const { stop } = await deliverMail(db, toServer(server.port));
  try {
    await until(async () => {
      const rows = await db.selectFrom('mails').select('state').execute();
      return rows.every(({ state }) => state === 'sent');
    });
  } finally {
    await stop();
    server.close();
    await database.drop();
  }
  const told = server.lines.flatMap((line) => /^RCPT TO:<([^>]*)>(.*)$/.exec(line)?.slice(1).join('') ?? []);
  expect(told.toSorted()).toEqual([...wanted.values()].toSorted());
});

test.each([
  'jörg@example.com',
  'ada@home@example.com',
  '"ada b"@example.com',
  'a@b',
  'ada@example.com.',
  'ada@[192.0.2.1]',
])('%s is refused in a sentence', (typed) => {
  const read = emailField.safeParse(typed);
  expect(read.error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^(Enter|We cannot send) .+\.$/),
  ]);
});
