import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs `work` while holding an exclusive lock on a file, so that two programs do not initialise or start one server
 * at once. The lock belongs to a child that waits on our pipe: the kernel frees it however this process ends.
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const holder = spawn('flock', [file, 'sh', '-c', 'echo locked; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const locked = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
  ]);
  if (!locked) throw new Error(`Could not lock ${file}.`);
  try {
    return await work();
  } finally {
    const ended = once(holder, 'exit');
    holder.stdin.end();
    await ended;
  }
}
