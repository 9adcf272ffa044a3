import { spawn } from 'node:child_process';
import { once } from 'node:events';

const patienceSeconds = 120;

/**
 * Runs `work` while holding an exclusive lock on a file, so that two programs do not initialise or start one server
 * at once. A child process that waits on our pipe holds the lock: the kernel frees it however this process ends. Throws
 * when another program holds it for more than two minutes.
 */
export async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const holder = spawn('flock', ['--timeout', String(patienceSeconds), file, 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A separate process group: a signal to ours must not free the lock while we work.
    detached: true,
  });
  const locked = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
  ]);
  if (!locked) throw new Error(`Another program has been starting a database for two minutes (it holds ${file}).`);
  try {
    return await work();
  } finally {
    const ended = once(holder, 'exit');
    holder.stdin.end();
    await ended;
  }
}
