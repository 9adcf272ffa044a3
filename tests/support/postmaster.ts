import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The pid in a data folder's `postmaster.pid`, as numbered in the namespace the database runs in; 0 while there is none. */
export function postmasterPid(dataDir: string): number {
  try {
    return Number(readFileSync(pidFile(dataDir), 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
}

export function pidFile(dataDir: string): string {
  return path.join(dataDir, 'postgres/data/postmaster.pid');
}

/** Also false for a zombie, which has no command line. */
export function lives(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

/** Every postmaster that works in a data folder, in any namespace; by its pid in this process's namespace. */
export function postmastersIn(dataDir: string): number[] {
  const servers = processesIn(dataDir).filter((pid) => commandOf(pid).split('\0')[0]?.endsWith('/bin/postgres'));
  // A child that was just forked still has the command line of its postmaster.
  return servers.filter((pid) => !servers.includes(parentOf(pid)));
}

/** 0 for a process that has ended. */
function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** The processes that serve the clients of a data folder's database. */
export function clientBackendsIn(dataDir: string): number[] {
  return processesIn(dataDir).filter((pid) => commandOf(pid).startsWith('postgres: bowerbird '));
}

function processesIn(dataDir: string): number[] {
  const data = path.join(dataDir, 'postgres/data');
  if (!existsSync(data)) return [];
  const { dev, ino } = statSync(data);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const cwd = statSync(`/proc/${pid}/cwd`);
        return cwd.dev === dev && cwd.ino === ino;
      } catch {
        return false;
      }
    });
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
