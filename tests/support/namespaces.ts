import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Command prefix that isolates a command like a container: with its own processes, shared memory and mounts. */
export const apart = ['unshare', '--pid', '--ipc', '--mount-proc', '--fork', '--kill-child'];

/** Whether this user may create namespaces on this machine. */
export function canBeApart(): boolean {
  const [command = '', ...args] = apart;
  return spawnSync(command, [...args, 'true']).status === 0;
}

/** The pid, outside the namespace, of the process that `unshare` started: `unshare` itself ignores signals. */
export function innerPid(unshare: number): number {
  return Number(readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim().split(' ')[0]);
}
