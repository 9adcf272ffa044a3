import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from './open-store.server.ts';
import { getFileOfBackup, putFileOfBackup } from './sealed-files.server.ts';
import type { BackupStore } from './store.server.ts';

const key = randomBytes(32);
/** Longer than a chunk, and not to be compressed. */
const content = randomBytes(3 * 2 ** 20 + 17);
let folder: string;
let store: BackupStore;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'bb-'));
  store = await openStore({ folder, key });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function written(bytes = content): Promise<string> {
  await putFileOfBackup({ store, name: 'one', key }, Readable.from([bytes]));
  return path.join(folder, 'one.zst.sealed');
}
async function read(file: string, by: Buffer | null = key): Promise<Buffer> {
  const stored = await getFileOfBackup(store, path.basename(file, '.zst.sealed'), by);
  return Buffer.concat((await stored?.toArray()) ?? []);
}

test('P92: what is sealed is read with its key, also when it is empty', async () => {
  expect((await read(await written())).equals(content)).toBe(true);
  expect(await read(await written(Buffer.alloc(0)))).toHaveLength(0);
  expect(readdirSync(folder)).toEqual(['one.zst.sealed']);
});

test('P92: another key, or none, reads nothing', async () => {
  const file = await written();
  await expect(read(file, randomBytes(32))).rejects.toThrow(/another BACKUP_KEY/);
  await expect(read(file, null)).rejects.toThrow(/set BACKUP_KEY/);
});

test('a file that was changed, cut off between two chunks, or given the name of another is refused', async () => {
  const file = await written();
  const sealed = readFileSync(file);
  const broken = Buffer.from(sealed);
  broken.writeUInt8(broken.readUInt8(2_000_000) ^ 1, 2_000_000);
  writeFileSync(file, broken);
  await expect(read(file)).rejects.toThrow(/damaged/);
  writeFileSync(file, sealed.subarray(0, 8 + 16 + 5 + 2 ** 20 + 16));
  await expect(read(file)).rejects.toThrow(/cut off/);
  writeFileSync(file, sealed);
  const other = path.join(folder, 'two.zst.sealed');
  renameSync(file, other);
  await expect(read(other)).rejects.toThrow(/another BACKUP_KEY, or is damaged/);
});
