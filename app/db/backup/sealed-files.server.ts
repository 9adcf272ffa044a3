import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { BackupFault, type BackupStore } from './store.server.ts';

const begin = Buffer.from('BBSEAL1\n');
const [saltBytes, tagBytes, headBytes, chunkBytes] = [16, 16, 5, 1 << 20];
const [more, last] = [1, 2];

/** What the name of a file ends in: `.zst`, and `.sealed` when only a key opens it. */
export const endings = ['.zst', '.zst.sealed'] as const;

/** The name of a file without what it ends in. */
export const withoutEnding = (file: string) => file.replace(/\.zst(\.sealed)?$/, '');

/**
 * Puts a stream into a store as a compressed file, sealed by AES-256-GCM when there is a key. `name` is without the
 * ending; returns the number of bytes stored.
 */
export async function putFileOfBackup(
  { store, name, key }: { store: BackupStore; name: string; key: Buffer | null },
  source: Readable,
): Promise<number> {
  const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };
  const packed = createZstdCompress({ params });
  const packing = pipeline(source, packed);
  packing.catch(() => undefined);
  try {
    const content = key ? Readable.from(seal(packed, key, path.basename(name)), { objectMode: false }) : packed;
    const bytes = await store.put(name + endings[key ? 1 : 0], content);
    await packing;
    return bytes;
  } finally {
    packed.destroy();
  }
}

/**
 * The stream that was put; null when there is no such file. It fails with a `BackupFault` when the file is damaged, cut
 * off or sealed by another key.
 */
export async function getFileOfBackup(store: BackupStore, name: string, key: Buffer | null): Promise<Readable | null> {
  for (const ending of key ? endings.toReversed() : endings) {
    const stored = await store.get(name + ending);
    const file = { name: path.basename(name), place: `${store.place}/${name}${ending}` };
    if (!stored) continue;
    const packed = ending === '.zst' ? stored : unseal(stored, key, file.name);
    const read = Readable.from(unpacked(packed, file.place), { objectMode: false });
    return read.once('close', () => stored.destroy());
  }
  return null;
}

async function* unpacked(packed: AsyncIterable<Buffer>, place: string): AsyncGenerator<Buffer> {
  const expanding = createZstdDecompress();
  const done = pipeline(packed, expanding);
  done.catch(() => undefined);
  try {
    yield* expanding;
    await done;
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault(`The file ${place} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

async function* seal(source: AsyncIterable<Buffer>, key: Buffer, name: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  const fileKey = keyOf(key, salt);
  yield Buffer.concat([begin, salt]);
  let number = 0;
  const chunk = (text: Buffer, kind: number) => {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(number++)).setAAD(named(name, kind));
    const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
    const head = Buffer.alloc(headBytes);
    head.writeUInt8(kind);
    head.writeUInt32LE(sealed.length, 1);
    return Buffer.concat([head, sealed]);
  };
  let held = Buffer.alloc(0);
  for await (const bytes of source) {
    held = Buffer.concat([held, bytes]);
    for (; held.length > chunkBytes; held = held.subarray(chunkBytes)) yield chunk(held.subarray(0, chunkBytes), more);
  }
  yield chunk(held, last);
}

async function* unseal(source: AsyncIterable<Buffer>, key: Buffer | null, name: string): AsyncGenerator<Buffer> {
  if (!key) throw new BackupFault(`The backup is sealed: set BACKUP_KEY to the key it was made with.`);
  const read = readerOf(source, name);
  if (!(await read(begin.length)).equals(begin)) throw new BackupFault(`${name} is not a sealed file of a backup.`);
  const fileKey = keyOf(key, await read(saltBytes));
  for (let number = 0, kind = more; kind !== last; number++) {
    const head = await read(headBytes);
    kind = head.readUInt8();
    const length = head.readUInt32LE(1);
    if (length < tagBytes || length > chunkBytes + tagBytes) throw new BackupFault(`${name} is damaged.`);
    const sealed = await read(length);
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(number)).setAAD(named(name, kind));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const text = decipher.update(sealed.subarray(0, -tagBytes));
    try {
      decipher.final();
    } catch {
      throw new BackupFault(`${name} was sealed by another BACKUP_KEY, or is damaged.`);
    }
    yield text;
  }
}

function readerOf(source: AsyncIterable<Buffer>, name: string): (length: number) => Promise<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  return async (length) => {
    while (held.length < length) {
      const { value, done } = await chunks.next();
      if (done) throw new BackupFault(`${name} is cut off.`);
      held = Buffer.concat([held, value]);
    }
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
}

/** Each file has a key of its own, so that its numbered chunks never share a nonce with another's. */
const keyOf = (key: Buffer, salt: Buffer) => Buffer.from(hkdfSync('sha256', key, salt, 'bowerbird backup', 32));

/** Sealed with each chunk: no file passes for another, and none that is cut off for whole. */
const named = (name: string, kind: number) => Buffer.from(`${kind}:${name}`);

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 8);
  return nonce;
}
