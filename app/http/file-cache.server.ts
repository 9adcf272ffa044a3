import { LRUCache } from 'lru-cache';

type File = Uint8Array<ArrayBuffer>;

/** Cache of files that are made on request; the key describes what a file shows. */
export type FileCache = {
  /**
   * The file of a key, made if it is not cached; simultaneous calls make it once. Rejects when `make` does; null, when
   * it cannot be made at the moment, is not kept.
   */
  get(key: string, make: () => Promise<File>): Promise<File>;
  get(key: string, make: () => Promise<File | null>): Promise<File | null>;
};

/** Keeps at most `maxBytes`; the least recently used files are removed first. */
export function createFileCache(maxBytes: number): FileCache {
  const kept = new LRUCache<string, File>({
    maxSize: maxBytes,
    sizeCalculation: (file, key) => file.byteLength + key.length,
  });
  const making = new Map<string, Promise<File | null>>();
  function get(key: string, make: () => Promise<File>): Promise<File>;
  function get(key: string, make: () => Promise<File | null>): Promise<File | null>;
  async function get(key: string, make: () => Promise<File | null>): Promise<File | null> {
    const file = kept.get(key);
    if (file) return file;
    const begun = making.get(key);
    if (begun) return begun;
    const made = make().finally(() => making.delete(key));
    making.set(key, made);
    const fresh = await made;
    if (fresh) kept.set(key, fresh);
    return fresh;
  }
  return { get };
}
