import { readdirSync, readFileSync } from 'node:fs';
import { type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';

/** A day on which the promotion runs and sessions lie ahead. */
export const day = '2025-09-08';

/**
 * Runs work with the built program, on a database of its own. It trusts X-Forwarded-For, so that the load comes from as
 * many networks as real visitors would, and never sheds load. With `within` it runs under another command.
 */
export async function withProgram<T>(work: (program: Program) => Promise<T>, within: string[] = []): Promise<T> {
  const data = temporaryFolder();
  try {
    const env = { DATA_DIR: data.folder, TODAY: day, LOG_LEVEL: 'warn', SHED_AFTER: '60000' };
    const program = await startProgram({ ...env, TRUSTED_PROXIES: '127.0.0.1,::1' }, within);
    try {
      return await work(program);
    } finally {
      await program.end('SIGTERM');
    }
  } finally {
    data.remove();
  }
}

/** Memory of a process that is in RAM, in MB. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Seconds of processor time that a process has used, in all its threads. */
export function processorSeconds(pid: number): number {
  const { user, system } = timesIn(`/proc/${pid}/stat`);
  return user + system;
}

/** Seconds of processor time that one of its threads has used; the first has the number of the process. */
export function threadSeconds(pid: number, thread: number): number {
  const { user, system } = timesIn(`/proc/${pid}/task/${thread}/stat`);
  return user + system;
}

/** Seconds of processor time that a process and its children have used, those that have ended included. */
export function familySeconds(pid: number): number {
  const { user, system, ended } = timesIn(`/proc/${pid}/stat`);
  const children = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && timesIn(`/proc/${name}/stat`).parent === pid;
    } catch {
      // It ended meanwhile.
      return false;
    }
  });
  return children.reduce((sum, child) => sum + processorSeconds(Number(child)), user + system + ended);
}

function timesIn(file: string): { parent: number; user: number; system: number; ended: number } {
  const [, rest = ''] = readFileSync(file, 'utf8').split(') ');
  const fields = rest.split(' ').map(Number);
  // In hundredths of a second: user and system time, and those of children that have ended (proc(5), 14 to 17).
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map((ticks) => ticks / 100);
  return { parent: fields[1] ?? 0, user, system, ended: endedUser + endedSystem };
}
