import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, get, type Program, runScript, startProgram, temporaryFolder } from '#tests/support/program.ts';
import { until } from '#tests/support/until.ts';

const data = temporaryFolder();
let program: Program;
beforeAll(async () => {
  program = await startProgram({ DATA_DIR: data.folder });
});
afterAll(async () => {
  await program.end('SIGTERM');
  data.remove();
});

test('the first start shows its progress, its address and where its data lies', () => {
  const output = program.output();
  expect(output).toContain('Setting up a database of its own');
  expect(output).toMatch(/Importing the catalogue: \d+ courses/);
  expect(output).toContain(`Bowerbird Academy: ${program.url}`);
  expect(output).toContain(`Data: ${data.folder}/postgres`);
});

test('it lives and is ready', async () => {
  expect(await get(`${program.url}/healthz`)).toEqual({ status: 200, text: 'alive\n' });
  expect(await get(`${program.url}/readyz`)).toEqual({ status: 200, text: 'ready\n' });
});

test('one log line a request: id, route, status and milliseconds, never the search itself', async () => {
  const response = await fetch(`${program.url}/courses?search=my-private-search`);
  const id = response.headers.get('x-request-id');
  const line = () =>
    program
      .output()
      .split('\n')
      .find((text) => text.includes(String(id)));
  await until(() => line() !== undefined);
  expect(JSON.parse(line() ?? '')).toMatchObject({ id, method: 'GET', route: 'courses', status: 200 });
  expect(JSON.parse(line() ?? '').ms).toBeGreaterThan(0);
  expect(program.output()).not.toContain('my-private-search');
});

test('a wrong setting stops the program with one line that names it', async () => {
  const run = runScript('start.ts', [], { PORT: 'eighty' });
  expect(await run.end()).toBe(1);
  expect(run.output().trim().split('\n')).toEqual([expect.stringContaining('PORT "eighty"')]);
});

test('a taken port is said in one line', async () => {
  const { port } = new URL(program.url);
  const run = runScript('start.ts', [], { PORT: port, DATA_DIR: data.folder });
  expect(await run.end()).toBe(1);
  expect(run.output()).toContain(`port ${port} is taken`);
});

test('while its database is not there it lives, says it is not ready and why, and ends on SIGTERM', async () => {
  const port = await freePort();
  const run = runScript('start.ts', [], {
    PORT: String(port),
    DATABASE_URL: `postgres://nobody:secret@127.0.0.1:${await freePort()}/none`,
  });
  const url = `http://localhost:${port}`;
  let ready: Awaited<ReturnType<typeof get>> | undefined;
  while (!ready) ready = await get(`${url}/readyz`).catch(() => undefined);
  expect(ready).toEqual({ status: 503, text: 'not ready: snapshot not loaded\n' });
  expect((await get(`${url}/healthz`)).status).toBe(200);
  expect((await get(`${url}/`)).status).toBe(503);
  expect(await run.end('SIGTERM')).toBe(0);
  expect(run.output()).not.toContain('secret');
});

test('SIGTERM drops no request that has begun', async () => {
  const stopping = await startProgram({ DATA_DIR: data.folder });
  const { port } = new URL(stopping.url);
  // Requests half sent, which the program can only finish after the signal.
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), 'localhost'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /course/cissp HTTP/1.1\r\nHost: x\r\n');
  // Answered after them on the same loop: when it comes back, the halves have been read.
  await get(`${stopping.url}/healthz`);
  const ended = stopping.end('SIGTERM');
  const answers = sockets.map(async (socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write('\r\n');
    await once(socket, 'end');
    return Buffer.concat(chunks).toString();
  });
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('</html>');
  }
  expect(await ended).toBe(0);
});
