import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Runs what follows as a container would: with processes, shared memory and mounts of its own. */
export const apart = ['unshare', '--pid', '--ipc', '--mount-proc', '--fork', '--kill-child'];

/** Whether this user may make namespaces here. */
export function canBeApart(): boolean {
  const [command = '', ...args] = apart;
  return spawnSync(command, [...args, 'true']).status === 0;
}

/** The process that `unshare` started, by its pid out here: signals go to it, because `unshare` ignores them. */
export function innerPid(unshare: number): number {
  return Number(readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8').trim().split(' ')[0]);
}
