// @module-tag torture
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatusPart } from '#app/http/status.server.ts';
import { get, type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { behindProxy, confirmed, sendMessage, takeForms } from '#tests/support/visitors.ts';

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

test.runIf(mounted)(
  'P92: with the disk of the backups full it sells on, keeps what it is told, and says that they stop',
  async () => {
    const [data, backups] = [temporaryFolder(), temporaryFolder()];
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=80m,mode=755', 'tmpfs', backups.folder]);
    fillDataFolder(data.folder);
    const selling = await startProgram({ ...behindProxy, DATA_DIR: data.folder, BACKUP_DIR: backups.folder });
    const backup = async () => {
      const answer = await fetch(`${selling.url}/status`, { headers: { Accept: 'application/json' } });
      const { parts }: { parts: StatusPart[] } = await answer.json();
      return parts.find(({ name }) => name === 'backup')?.state;
    };
    spawnSync('dd', ['if=/dev/zero', `of=${path.join(backups.folder, 'filler')}`, 'bs=64k']);
    await until(async () => (await backup()) === 'delayed');
    const messages = [];
    for (const form of await takeForms(selling.url, 5)) messages.push(await sendMessage(selling.url, form));
    expect((await get(`${selling.url}/readyz`)).status).toBe(200);
    expect(await selling.end('SIGTERM')).toBe(0);
    expect(await confirmed(data.folder, messages)).toEqual({ told: 5, lost: [] });
    spawnSync('umount', [backups.folder]);
    for (const folder of [data, backups]) folder.remove();
  },
);
