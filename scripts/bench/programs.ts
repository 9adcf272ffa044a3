import { readFileSync } from 'node:fs';
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
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  // The fields after the name: user and system time are the 12th and 13th, in hundredths of a second.
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number);
  return (user + system) / 100;
}
