import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { lives, pidFile as pidFileOf, postmasterPid } from '#tests/support/postmaster.ts';
import { statement } from '#tests/support/statement.ts';
import { tagged, torture } from '#tests/support/torture.ts';

let data: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(() => data.remove());

const pidFile = () => pidFileOf(data.folder);
const postmaster = () => postmasterPid(data.folder);

torture('a clean stop also stops the server, and the next start finds the data', async () => {
  const first = await startProgram({ DATA_DIR: data.folder });
  const pid = postmaster();
  expect(await first.end('SIGTERM')).toBe(0);
  expect(lives(pid)).toBe(false);
  expect(existsSync(pidFile())).toBe(false);

  const second = await startProgram({ DATA_DIR: data.folder });
  expect(second.output()).not.toContain('Filling the database');
  expect((await get(`${second.url}/course/cissp`)).status).toBe(200);
  expect(await second.end('SIGINT')).toBe(0);
});

torture('after kill -9 its server is found again, and stopped by the next clean stop', async () => {
  fillDataFolder(data.folder);
  const killed = await startProgram({ DATA_DIR: data.folder });
  const pid = postmaster();
  await killed.end('SIGKILL');
  expect(lives(pid)).toBe(true);

  const next = await startProgram({ DATA_DIR: data.folder });
  expect(postmaster()).toBe(pid);
  await next.end('SIGTERM');
  expect(lives(pid)).toBe(false);
});

torture('two programs started at once share one server, and the last one out stops it', async () => {
  const [one, two] = await Promise.all([
    startProgram({ DATA_DIR: data.folder }),
    startProgram({ DATA_DIR: data.folder }),
  ]);
  const pid = postmaster();
  expect(`${one.output()}${two.output()}`).toContain('Filling the database');

  await one.end('SIGTERM');
  expect(lives(pid)).toBe(true);
  expect((await get(`${two.url}/readyz`)).status).toBe(200);
  await two.end('SIGTERM');
  expect(lives(pid)).toBe(false);
});

test('no other host can reach it: it listens on no network address, behind a closed folder and a password', async () => {
  fillDataFolder(data.folder);
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const home = path.join(data.folder, 'postgres');
  expect(socketsOf(postmaster()).filter((inode) => tcpInodes(postmaster()).has(inode))).toEqual([]);
  expect(modeOf(home)).toBe('700');
  expect(modeOf(path.join(home, 'socket'))).toBe('700');
  expect(modeOf(path.join(home, 'password'))).toBe('600');
  const rules = readFileSync(path.join(home, 'data/pg_hba.conf'), 'utf8').split('\n');
  const methods = rules.filter((line) => /^\w/.test(line)).map((line) => line.split(/\s+/).at(-1));
  expect(new Set(methods)).toEqual(new Set(['scram-sha-256']));
  await server.release();
});

test('a path too long for a socket is refused with an explanation', async () => {
  const long = path.join(data.folder, 'x'.repeat(90));
  await expect(openEmbeddedPostgres(long, () => undefined)).rejects.toThrow(/choose a shorter DATA_DIR/);
});

// Only root runs the server as another user, who cannot enter root's home folder.
test.runIf(process.getuid?.() === 0)(
  'as root in a private home folder, data goes to /var/lib/bowerbird',
  tagged,
  async () => {
    const closed = temporaryFolder('/root');
    try {
      const program = await startProgram({ DATA_DIR: path.join(closed.folder, 'data') });
      const place = /Data: (.+)/.exec(program.output())?.[1] ?? '';
      expect(place).toMatch(/^\/var\/lib\/bowerbird\/data-/);
      expect(execFileSync('stat', ['-c', '%U', place], { encoding: 'utf8' }).trim()).toBe('postgres');
      expect((await get(`${program.url}/readyz`)).status).toBe(200);
      await program.end('SIGTERM');
      rmSync(place, { recursive: true });
    } finally {
      closed.remove();
    }
  },
);

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

/** Inodes of the sockets a process holds. */
function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1])
    .filter((inode) => inode !== undefined);
}

/** Inodes of every TCP socket in a process's network. */
function tcpInodes(pid: number): Set<string> {
  const tables = ['tcp', 'tcp6'].map((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8'));
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1));
  return new Set(rows.map((row) => row.trim().split(/\s+/)[9] ?? ''));
}

test.runIf(process.getuid?.() === 0)(
  'files of another user, as after a move to another machine, are named with what to do',
  tagged,
  async () => {
    fillDataFolder(data.folder);
    await (await startProgram({ DATA_DIR: data.folder })).end('SIGTERM');
    const files = path.join(data.folder, 'postgres/data');
    const { uid } = statSync(files);
    execFileSync('chown', ['-R', '12345', files]);
    const refused = openEmbeddedPostgres(data.folder, () => undefined);
    await expect(refused).rejects.toThrow(
      `belong to the user with number 12345, and the database runs as ${uid}. Nothing was changed. Give them to it: chown -R ${uid} ${realpathSync(path.dirname(files))}`,
    );
    execFileSync('chown', ['-R', String(uid), files]);
    await (await startProgram({ DATA_DIR: data.folder })).end('SIGTERM');
  },
);

torture('P69: a folder of an older version gets the role of the program, which cannot change the history', async () => {
  fillDataFolder(data.folder);
  const before = await openEmbeddedPostgres(data.folder, () => undefined);
  // As such a version left it: one role, which owns everything.
  for (const database of [before.owner.database, inject('template').database]) {
    await statement({ ...before.owner, database }, 'drop owned by bowerbird_program');
  }
  await statement(before.owner, 'drop role bowerbird_program');
  const program = await startProgram({ DATA_DIR: data.folder });
  try {
    expect((await get(`${program.url}/readyz`)).status).toBe(200);
    expect(before.connection).toMatchObject({ user: 'bowerbird_program' });
    await statement(before.connection, 'select from courses');
    await expect(statement(before.connection, 'delete from audit_entries')).rejects.toMatchObject({ code: '42501' });
    const users =
      "select 1 / count(*) from pg_stat_activity where usename = 'bowerbird_program' and pid <> pg_backend_pid()";
    await statement(before.owner, users);
    // The last line is written when it is ready; that one role does everything is not said.
    expect(program.output()).not.toContain('DATABASE_MIGRATION_URL');
  } finally {
    await program.end('SIGTERM');
    await before.release();
  }
});
