import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type EmbeddedHome, runAs } from './embedded-home.server.ts';

type User = EmbeddedHome['user'];

/** The pid of the postmaster that serves `data`; null when none can be found in our own PID namespace. */
export async function findPostmaster(data: string, user: User): Promise<number | null> {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return (await isPostmasterOf(data, user, pid)) ? pid : null;
}

/**
 * Whether a pid is that of the postmaster, whose working directory is `data`, and not of an unrelated process or of
 * another namespace. Runs as the server's user, because root in a container may not inspect other users' processes.
 */
export async function isPostmasterOf(data: string, user: User, pid: number): Promise<boolean> {
  const [command = ''] = commandLine(pid).split('\0');
  if (path.basename(command) !== 'postgres') return false;
  const args = ['--dereference', '--format=%d:%i', `/proc/${pid}/cwd`, data];
  const { status, stdout } = await runAs(user, 'stat', args);
  const [cwd, folder] = stdout.split('\n');
  return status === 0 && cwd === folder;
}

/** Empty when no process has the pid. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
