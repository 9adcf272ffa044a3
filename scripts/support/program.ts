import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import { until } from './until.ts';

export type Run = {
  process: ChildProcess;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Sends the signal, waits for the end, and returns the exit code (null when killed). */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

export type Program = Run & { url: string };

/** Node's compile cache: a program that starts repeatedly spends a third less on loading its modules. */
export const compiled = path.join(projectRoot, 'node_modules/.cache/compiled');

/**
 * Runs one of the repository's scripts as a user would, without the settings of this process and without backups; `within` is a command
 * that wraps it, such as `unshare` with its options.
 */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string> = {},
  within: string[] = [],
): Run {
  const [command = process.execPath, ...rest] = [...within, process.execPath, path.join('scripts', script), ...args];
  const child = spawn(command, rest, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: compiled, BACKUP_DIR: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails half-way must not leave the process running.
  const endWithTest = () => child.kill('SIGKILL');
  process.once('exit', endWithTest);
  child.once('close', () => process.off('exit', endWithTest));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const closed = once(child, 'close');
  return {
    process: child,
    output: () => text,
    async end(signal) {
      if (signal) child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** Starts the built program on a free port, or on the one of `env`, and waits until it says it is ready. */
export async function startProgram(env: Record<string, string>, within: string[] = []): Promise<Program> {
  const port = env.PORT ?? (await freePort());
  const run = runScript('start.ts', [], { LOG_LEVEL: 'info', ...env, PORT: String(port) }, within);
  await until(() => run.output().includes('ready after') || run.process.exitCode !== null).catch((error) => {
    throw new Error(`The program did not get ready: ${run.output()}`, { cause: error });
  });
  if (run.process.exitCode !== null) throw new Error(`The program ended: ${run.output()}`);
  return { ...run, url: `http://localhost:${port}` };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** An empty folder for a program's data, short enough for a socket's path and open to the server's user. */
export function temporaryFolder(parent = os.tmpdir()): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(parent, 'bb-'));
  chmodSync(folder, 0o755);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Status and text of a page. */
export async function get(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}
