import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import autocannon from 'autocannon';
import { processorSeconds } from './programs.ts';

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
