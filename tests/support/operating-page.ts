import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { projectRoot } from '#app/env.server.ts';

/** docs/operating.md as it stands. */
export const operatingPage = readFileSync(path.join(projectRoot, 'docs/operating.md'), 'utf8');

/** Its blocks of commands and settings by the heading they stand under, in their order. */
export const blocks: Record<string, string[]> = {};
let under = '';
for (const [, heading, block] of operatingPage.matchAll(/^##+ (.+?)$|^```(?:sh)?\n(.*?)^```/gms)) {
  if (heading) under = heading;
  else blocks[under] = [...(blocks[under] ?? []), block ?? ''];
}

/** Runs commands as a person types them; returns what they print. `within` is a command that wraps the shell. */
export async function type(
  commands: string,
  { PATH, ...env }: Record<string, string>,
  { within = [], cwd = projectRoot }: { within?: string[]; cwd?: string } = {},
): Promise<string> {
  const nodes = path.join(projectRoot, 'node_modules/.bin');
  const [command = 'sh', ...args] = [...within, 'sh', '-ec', commands];
  const shell = spawn(command, args, {
    cwd,
    env: { HOME: process.env.HOME, ...env, PATH: [PATH, nodes, process.env.PATH].filter(Boolean).join(':') },
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (text) => {
      said += text;
    });
  const [status] = await once(shell, 'close');
  expect([status, said]).toEqual([0, expect.any(String)]);
  return said;
}

/** Puts a script into a folder for `PATH`, in the place of a command that cannot be run here. */
export function standIn(folder: string, command: string, script: string): void {
  const file = path.join(folder, command);
  writeFileSync(file, `#!/bin/sh\n${script}`);
  chmodSync(file, 0o755);
}

/** Stands in for Docker: runs the commands of a container on this computer, and nothing else. */
export const docker = `shift
case "$1" in
  exec) shift; [ "$1" = -T ] && shift; shift; cd ${projectRoot}; exec "$@" ;;
  run) shift 3; cd ${projectRoot}; exec "$@" ;;
esac
`;
