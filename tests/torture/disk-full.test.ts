// @module-tag torture
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';

const mountPoint = temporaryFolder();
const mount = () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', mountPoint.folder]).status;
// Mounting a small disk to fill needs privileges that not every machine grants.
const mounted = process.getuid?.() === 0 && mount() === 0;

let program: Program;
beforeAll(async () => {
  if (!mounted) return;
  const data = path.join(mountPoint.folder, 'data');
  mkdirSync(data);
  fillDataFolder(data);
  program = await startProgram({ DATA_DIR: data });
});
afterAll(async () => {
  await program?.end('SIGTERM');
  if (mounted) spawnSync('umount', [mountPoint.folder]);
  mountPoint.remove();
});

test.runIf(mounted)('with a full disk it serves, says that it is not ready and why, and recovers', async () => {
  expect((await get(`${program.url}/readyz`)).text).toBe('ready\n');
  const filler = path.join(mountPoint.folder, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k']);
  await until(async () => (await get(`${program.url}/readyz`)).text === 'not ready: database out of disk\n');
  expect((await get(`${program.url}/`)).status).toBe(200);
  rmSync(filler);
  await until(async () => (await get(`${program.url}/readyz`)).status === 200);
});
