import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSettings } from '#app/env.server.ts';
import { type BucketStandIn, startBucket } from '#tests/support/bucket-stand-in.ts';
import { openStore } from './open-store.server.ts';
import type { BackupStore } from './store.server.ts';

let bucket: BucketStandIn;
let store: BackupStore;
beforeEach(async () => {
  bucket = await startBucket();
  store = await storeOf(bucket.url);
});
afterEach(() => bucket.close());

async function storeOf(url: string): Promise<BackupStore> {
  const read = readSettings({ BACKUP_URL: url });
  if (!read.ok || !read.settings.backups) throw new Error('no bucket');
  return openStore(read.settings.backups);
}
const put = (name: string, content: string | Buffer) => store.put(name, Readable.from([Buffer.from(content)]));

test('P92: a file is stored in a bucket and read back, also in parts and when its name has signs', async () => {
  const large = randomBytes(17 * 2 ** 20);
  expect(await put('7441/base/large +1.tar', large)).toBe(large.length);
  await put('7441/log/small', 'log');
  const read = async (name: string) => buffer((await store.get(name)) ?? Readable.from([]));
  expect((await read('7441/base/large +1.tar')).equals(large)).toBe(true);
  expect(String(await read('7441/log/small'))).toBe('log');
  expect([
    await store.get('7441/log/other'),
    [...bucket.files.keys()].every((name) => name.startsWith('night/')),
  ]).toEqual([null, true]);
});

test('P92: a bucket lists all files of a folder, whatever number of pages', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await put(`7441/log/${name}`, name);
  await put('7442/log/h', 'h');
  await store.delete('7441/log/a');
  expect((await store.list('7441/log')).map(({ file }) => file)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
  expect(await store.folders()).toEqual(['7441', '7442']);
});

test('P92: what breaks off leaves neither a file nor parts to be paid for', async () => {
  const cutOff = async function* () {
    yield randomBytes(20 * 2 ** 20);
    throw new Error('cut off');
  };
  await expect(store.put('7441/base/one.tar', Readable.from(cutOff()))).rejects.toThrow('cut off');
  bucket.uploads.set('killed', { key: 'night/7441/base/two.tar', parts: new Map(), at: new Date(0) });
  await store.deleteAbandoned(new Date(1));
  expect([bucket.files.size, bucket.uploads.size]).toEqual([0, 0]);
});

test('P92: a refused key, a wrong name and a bucket that is away are said without the key', async () => {
  const said = async (url: string) =>
    storeOf(url)
      .then((other) => other.folders())
      .catch((error: Error) => error.message);
  const refused = await said(bucket.url.replace('wJalr', 'other'));
  expect(refused).toMatch(
    /^s3:\/\/127\.0\.0\.1:\d+\/academy\/night refuses the key of BACKUP_URL: SignatureDoesNotMatch\.$/,
  );
  expect(await said(bucket.url.replace('/academy/', '/nowhere/'))).toMatch(/has no bucket nowhere\.$/);
  bucket.close();
  expect(await said(bucket.url)).toMatch(/does not answer: .*ECONNREFUSED/);
});
