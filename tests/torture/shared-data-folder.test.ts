// @module-tag torture
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { get, type Program, runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { apart, canBeApart, innerPid } from '#tests/support/namespaces.ts';
import { lives, pidFile, postmasterPid, postmastersIn } from '#tests/support/postmaster.ts';

const quiet = () => undefined;
let data: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(() => data.remove());

async function token(url: string): Promise<string> {
  return /name="form"[^>]*value="([^"]+)"/.exec((await get(`${url}/contact`)).text)?.[1] ?? '';
}

/** Sends `count` messages from forms that are two seconds old; returns the references from the answers. */
async function send(url: string, count: number): Promise<string[]> {
  const tokens = await Promise.all(Array.from({ length: count }, () => token(url)));
  const takenAt = performance.now();
  await until(() => performance.now() - takenAt > 2_100);
  const answers = tokens.map(async (form) => {
    const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', message: 'Hello' };
    const response = await fetch(`${url}/contact`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: url },
      body: new URLSearchParams({ form, ...person }),
    });
    return /BB-\w{6}/.exec(response.headers.get('location') ?? '')?.[0] ?? '';
  });
  return Promise.all(answers);
}

const end = async (program: Program, signal: NodeJS.Signals) => {
  process.kill(innerPid(program.process.pid ?? 0), signal);
  await program.end();
};

// Creating namespaces needs privileges that not every machine grants.
test.skipIf(!canBeApart())(
  'two programs in separate PID and IPC namespaces share one database; when one is killed, the other recovers',
  async () => {
    fillDataFolder(data.folder);
    const first = await startProgram({ DATA_DIR: data.folder }, apart);
    const second = await startProgram({ DATA_DIR: data.folder }, apart);
    expect(postmastersIn(data.folder)).toHaveLength(1);
    const acknowledged = [...(await send(first.url, 2)), ...(await send(second.url, 2))];

    // The database runs in the namespace of the first program and ends with it.
    await end(first, 'SIGKILL');
    await until(async () => (await get(`${second.url}/readyz`)).status === 200);
    expect(postmastersIn(data.folder)).toHaveLength(1);
    acknowledged.push(...(await send(second.url, 1)));
    await end(second, 'SIGTERM');
    expect(postmastersIn(data.folder)).toEqual([]);

    const list = runScript('enquiries.ts', ['--json'], { DATA_DIR: data.folder });
    expect(await list.end()).toBe(0);
    for (const reference of acknowledged) {
      expect(reference).toMatch(/^BB-/);
      expect(list.output()).toContain(reference);
    }
  },
  120_000,
);

test.skipIf(!canBeApart())(
  'a program does not stop the database of another PID namespace, nor signal another process with the same pid',
  async () => {
    fillDataFolder(data.folder);
    const outside = await startProgram({ DATA_DIR: data.folder });
    const pid = postmasterPid(data.folder);
    await outside.end('SIGKILL');
    // In the new namespace the same pid belongs to no process or to another one.
    const inside = await startProgram({ DATA_DIR: data.folder }, apart);
    await end(inside, 'SIGTERM');
    expect(lives(pid)).toBe(true);
    const server = await openEmbeddedPostgres(data.folder, quiet);
    expect(postmastersIn(data.folder)).toEqual([pid]);
    await server.release();
    expect(lives(pid)).toBe(false);
  },
);

// Root in a container may not inspect other users' processes. Without root, the program runs as the database's user.
const asInContainer = ['setpriv', '--bounding-set=-sys_ptrace', '--inh-caps=-sys_ptrace'];

test.runIf(process.getuid?.() === 0)(
  'as root without access to the processes of other users, the program stops its database',
  async () => {
    fillDataFolder(data.folder);
    const program = await startProgram({ DATA_DIR: data.folder }, asInContainer);
    const pid = postmasterPid(data.folder);
    expect(await program.end('SIGTERM')).toBe(0);
    expect(lives(pid)).toBe(false);
  },
);

test('a database started by a previous version, without the lock, is joined and stopped like any other', async () => {
  fillDataFolder(data.folder);
  await startWithoutLock();
  const pid = postmasterPid(data.folder);

  const server = await openEmbeddedPostgres(data.folder, quiet);
  expect(postmastersIn(data.folder)).toEqual([pid]);
  await server.release();
  expect(lives(pid)).toBe(false);
});

test('a database without the lock that does not answer is waited for, then reported in an error', async () => {
  fillDataFolder(data.folder);
  await startWithoutLock();
  const pid = postmasterPid(data.folder);
  process.kill(pid, 'SIGSTOP');
  try {
    await expect(openEmbeddedPostgres(data.folder, quiet, { patienceMs: 500 })).rejects.toThrow(
      /^Another database serves .* No second one was started\.$/,
    );
    expect(postmastersIn(data.folder)).toEqual([pid]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const server = await openEmbeddedPostgres(data.folder, quiet);
  await server.release();
});

test('a new server is started only when no process of a killed one is left', async () => {
  fillDataFolder(data.folder);
  const home = await prepareHome(data.folder);
  const lock = path.join(home.folder, 'server.lock');
  expect(existsSync(lock)).toBe(true);
  // Simulates a backend that continues a long statement after its postmaster was killed.
  const remains = spawn('flock', ['--no-fork', lock, 'cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(remains, 'exit');
  await until(async () => (await runAs(null, 'flock', ['--nonblock', lock, 'true'])).status !== 0);

  await expect(openEmbeddedPostgres(data.folder, quiet, { patienceMs: 500 })).rejects.toThrow(/No second one/);
  const waiting = openEmbeddedPostgres(data.folder, () => remains.stdin.end());
  const server = await waiting;
  await ended;
  expect(postmastersIn(data.folder)).toHaveLength(1);
  await server.release();
});

test('a wrong password is reported in one line, and the database is stopped again', async () => {
  fillDataFolder(data.folder);
  const file = path.join(data.folder, 'postgres/password');
  const right = readFileSync(file, 'utf8');
  writeFileSync(file, 'wrong\n');
  const run = runScript('start.ts', [], { DATA_DIR: data.folder, PORT: '0' });
  expect(await run.end()).toBe(1);
  expect(run.output().trim().split('\n')).toEqual([
    expect.stringMatching(
      /^Could not start: The database under .* refuses the password in .*: put the right one back\.$/,
    ),
  ]);
  expect(postmastersIn(data.folder)).toEqual([]);
  expect(existsSync(pidFile(data.folder))).toBe(false);
  writeFileSync(file, right);
  const server = await openEmbeddedPostgres(data.folder, quiet);
  await server.release();
});

test.each(['/proc/bower', '/dev/null/bower'])(
  'a data folder that cannot be created, %s, is refused in one line by the program and by commands',
  async (folder) => {
    const line = /The data folder .* cannot be used: .* Set DATA_DIR to a folder this user can write to\.$/;
    const program = runScript('start.ts', [], { DATA_DIR: folder, PORT: '0' });
    expect(await program.end()).toBe(1);
    expect(program.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
    const command = runScript('enquiries.ts', [], { DATA_DIR: folder });
    expect(await command.end()).toBe(1);
    expect(command.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  },
);

async function startWithoutLock(): Promise<void> {
  // Its settings name the folder it was in when it was last started.
  await (await openEmbeddedPostgres(data.folder, quiet)).release();
  const home = await prepareHome(data.folder);
  const args = ['start', '-w', '-D', path.join(home.folder, 'data'), '-l', path.join(home.folder, 'server.log')];
  expect((await runAs(home.user, home.binaries.pgCtl, args)).status).toBe(0);
}
