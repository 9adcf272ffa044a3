import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import autocannon from 'autocannon';
import { type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';

/** A day on which the promotion runs and course dates lie ahead. */
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
export const processorSeconds = (pid: number) => secondsIn(pid, 14);

/** Seconds of processor time that its children had used which have ended. */
export const endedSeconds = (pid: number) => secondsIn(pid, 16);

/** User and system time, two fields of /proc/…/stat that are numbered in proc(5), in hundredths of a second. */
function secondsIn(pid: number, field: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = rest
    .split(' ')
    .slice(field - 3, field - 1)
    .map(Number);
  return (user + system) / 100;
}

export const connections = 16;

export type Load = {
  /** Requests answered in a second. */
  rate: number;
  /** Requests answered in a second of the server's processor time: does not depend on how fast the client is. */
  ratePerCore: number;
  p50: number;
  p99: number;
  /** Answers that were no 2xx, and errors. */
  failures: number;
};

type Request = { path: string; headers?: Record<string, string> };

/** Sends requests to a process on 16 connections for so many seconds, after two seconds to warm up. */
export async function load(url: string, pid: number, seconds: number, request: Request): Promise<Load> {
  let visitor = 0;
  const send = (duration: number) =>
    autocannon({
      url,
      connections,
      duration,
      requests: [
        {
          method: 'GET',
          path: request.path,
          setupRequest: (one) => {
            visitor++;
            // Each request is from a network of its own, from the range for documentation.
            const network = `2001:db8:${(visitor & 0xffff).toString(16)}::1`;
            return { ...one, headers: { ...request.headers, 'X-Forwarded-For': network } };
          },
        },
      ],
    });
  await send(2);
  const before = processorSeconds(pid);
  const { requests, latency, non2xx, errors, duration } = await send(seconds);
  const used = processorSeconds(pid) - before;
  return {
    rate: requests.total / duration,
    ratePerCore: requests.total / used,
    p50: latency.p50,
    p99: latency.p99,
    failures: non2xx + errors,
  };
}

const taskset = () => cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0;

/** The command that keeps a server on the last core; empty where there is no taskset or only one core. */
export function onServerCore(): string[] {
  return taskset() ? ['taskset', '-c', String(cpus().length - 1)] : [];
}

/** Keeps this process, which makes the load, off the server's core while it works. */
export async function offServerCore<T>(work: () => Promise<T>): Promise<T> {
  if (!taskset()) return work();
  const last = cpus().length - 1;
  const pin = (to: string) => spawnSync('taskset', ['-acp', to, String(process.pid)]);
  pin(last === 1 ? '0' : `0-${last - 1}`);
  try {
    return await work();
  } finally {
    pin(`0-${last}`);
  }
}
