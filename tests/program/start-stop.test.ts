import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { freePort, get, type Program, runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { lives, postmasterPid } from '#tests/support/postmaster.ts';
import { sendWhole, wholeRequest } from '#tests/support/sent-whole.ts';
import { tagged, torture } from '#tests/support/torture.ts';

const data = temporaryFolder();
let program: Program;
beforeAll(async () => {
  program = await startProgram({ DATA_DIR: data.folder });
});
afterAll(async () => {
  await program.end('SIGTERM');
  data.remove();
});

test('the first start prints five lines: address, data, mail, the first owner and what is not set up', () => {
  const lines = program.output().split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('{'))).toEqual([
    expect.stringContaining(`Bowerbird Academy: ${program.url} (ready after`),
    `Data: ${data.folder}/postgres`,
    expect.stringContaining(`Mail: as files in ${data.folder}/mail`),
    expect.stringContaining('First owner: npm run staff -- invite'),
    expect.stringMatching(/^Not set up yet: .*BASE_URL.*docs\/operating\.md/),
  ]);
});

test('/healthz says alive and /readyz says ready', async () => {
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
  expect(JSON.parse(line() ?? '')).toMatchObject({ id, method: 'GET', route: '/courses', status: 200 });
  expect(JSON.parse(line() ?? '').ms).toBeGreaterThan(0);
  expect(program.output()).not.toContain('my-private-search');
});

test.each([7700, 12_000, 100_000])('a search of %i letters is refused in words', async (length) => {
  const response = await get(`${program.url}/courses?search=${'x'.repeat(length)}`);
  expect(response.status).toBe(length > 16_000 ? 431 : 414);
  expect(response.text).toContain('too long');
});

test('a wrong setting stops the program with one line that names it', async () => {
  const run = runScript('start.ts', [], { PORT: 'eighty' });
  expect(await run.end()).toBe(1);
  expect(run.output().trim().split('\n')).toEqual([expect.stringContaining('PORT "eighty"')]);
});

torture('a port in use is reported in one line', async () => {
  const { port } = new URL(program.url);
  const run = runScript('start.ts', [], { PORT: port, DATA_DIR: data.folder });
  expect(await run.end()).toBe(1);
  expect(run.output()).toContain(`port ${port} is taken; set PORT`);
  const metrics = runScript('start.ts', [], {
    PORT: String(await freePort()),
    METRICS_PORT: port,
    DATA_DIR: data.folder,
  });
  expect(await metrics.end()).toBe(1);
  expect(metrics.output()).toContain(`port ${port} is taken; set METRICS_PORT`);
});

torture('without its database the program is alive, says why it is not ready, and ends on SIGTERM', async () => {
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
  // Partly sent requests, which the program can only finish after the signal.
  const sockets = Array.from({ length: 20 }, () => connect(Number(port), 'localhost'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /course/cissp HTTP/1.1\r\nHost: x\r\n');
  // The same event loop answers this later request: after its answer, the partial requests have been read.
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

torture('SIGTERM drops no request that was sent whole on a connection the program has not accepted yet', async () => {
  // However long it stands still, it answers: what it refuses because it is late is another test's matter.
  const env = { TRUSTED_PROXIES: '127.0.0.1,::ffff:127.0.0.1', SHED_AFTER: '60000' };
  const stopping = await startProgram({ DATA_DIR: data.folder, ...env });
  const port = Number(new URL(stopping.url).port);
  await get(`${stopping.url}/course/cissp`);
  // Stopped, it accepts nothing: the kernel makes the connections and keeps what is sent on them.
  stopping.process.kill('SIGSTOP');
  // It accepts one each turn of its loop, for four seconds: on a busy machine 45 were too many.
  const sent = Array.from({ length: 16 }, (_, at) => sendWhole(port, wholeRequest(at, { path: '/course/cissp' })));
  const posts = Array.from({ length: 8 }, (_, at) =>
    sendWhole(port, wholeRequest(100 + at, { method: 'POST', path: '/enrol', form: { item: 'course:cissp' } })),
  );
  await Promise.all([...sent, ...posts].map(({ written }) => written));
  stopping.process.kill('SIGTERM');
  stopping.process.kill('SIGCONT');
  const statuses = async (all: typeof sent) => {
    const outcomes = await Promise.all(all.map(({ outcome }) => outcome));
    return outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.status : outcome.kind));
  };
  const others = async (all: typeof sent, wanted: number) => (await statuses(all)).filter((one) => one !== wanted);
  expect(await others(sent, 200)).toEqual([]);
  // The form has no token, and the page says so.
  expect(await others(posts, 403)).toEqual([]);
  expect(await stopping.end()).toBe(0);
});

torture('SIGTERM does not wait for connections on which nothing was ever sent', async () => {
  const stopping = await startProgram({ DATA_DIR: data.folder });
  const sockets = Array.from({ length: 5 }, () => connect(Number(new URL(stopping.url).port), '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const signalledAt = performance.now();
  expect(await stopping.end('SIGTERM')).toBe(0);
  // Without this they would last until their headers are overdue, after 15 seconds.
  expect(performance.now() - signalledAt).toBeLessThan(14_000);
});

torture('SIGTERM ends the streams of open chats whole, and does not wait for them', async () => {
  const stopping = await startProgram({ DATA_DIR: data.folder });
  const page = await (await fetch(`${stopping.url}/chat`)).text();
  const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const send = () =>
    fetch(`${stopping.url}/chat`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ form, message: 'Hello' }),
    });
  let chat: string | null = null;
  // A form sent within two seconds of opening its page is taken for a program's.
  await until(async () => {
    chat = (await send()).headers.get('Location');
    return chat !== null;
  });
  const stream = await fetch(`${stopping.url}${chat}/live`, { headers: { Accept: 'text/event-stream' } });
  // Rejects when the connection is cut, as it is once requests have been waited for in vain.
  const text = stream.text();
  expect(await stopping.end('SIGTERM')).toBe(0);
  expect(await text).toContain('data: look');
});

torture('SIGTERM drops no request of clients that send without a pause on keep-alive connections', async () => {
  const stopping = await startProgram({ DATA_DIR: data.folder });
  const failures: string[] = [];
  let answered = 0;
  const clients = Array.from({ length: 12 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const outcome = await ask(`${stopping.url}/about`, agent);
      if (outcome === 'answered') answered++;
      // No request was sent yet on a refused connection, so none is lost.
      else if (outcome === 'ECONNREFUSED') break;
      else failures.push(outcome);
    }
    agent.destroy();
  });
  await until(() => answered > 50);
  expect(await stopping.end('SIGTERM')).toBe(0);
  await Promise.all(clients);
  expect(failures).toEqual([]);
});

torture('in the grace period the program says that it is stopping and serves; then it stops in time', async () => {
  const stopping = await startProgram({ DATA_DIR: data.folder, SHUTDOWN_GRACE: '2' });
  const signalledAt = performance.now();
  const ended = stopping.end('SIGTERM');
  await until(async () => (await get(`${stopping.url}/readyz`)).text === 'not ready: stopping\n');
  // A new connection, as from a visitor whom the balancer still sends here.
  const page = await fetch(`${stopping.url}/about`, { headers: { Connection: 'close' } });
  expect(page.status).toBe(200);
  expect(await ended).toBe(0);
  expect(performance.now() - signalledAt).toBeGreaterThan(2_000);
  expect(performance.now() - signalledAt).toBeLessThan(15_000);
});

test.each([
  { to: 'npm', target: (pid: number) => pid },
  { to: 'the process group of npm', target: (pid: number) => -pid },
])('SIGTERM to $to ends program and database of npm start', tagged, async ({ target }) => {
  const own = temporaryFolder();
  fillDataFolder(own.folder);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: own.folder,
    PORT: String(await freePort()),
  };
  const npm = spawn('npm', ['start'], { cwd: projectRoot, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  npm.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const closed = once(npm, 'close');
  await until(() => output.includes('ready after'));
  const database = postmasterPid(own.folder);
  expect(lives(database)).toBe(true);
  process.kill(target(npm.pid ?? Number.NaN), 'SIGTERM');
  // The output closes only when the program, too, has ended.
  await closed;
  expect(lives(database)).toBe(false);
  own.remove();
});

function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve('answered'));
      response.on('error', (error) => resolve(error.message));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}
