import { LRUCache } from 'lru-cache';

/** Cache of files that are made on request; the key describes what a file shows. */
export type FileCache = {
  /** The file of a key, made if it is not cached; simultaneous calls make it once. Rejects when `make` does. */
  get(key: string, make: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>>;
};

/** Keeps at most `maxBytes`; the least recently used files are removed first. */
export function createFileCache(maxBytes: number): FileCache {
  const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: maxBytes,
    sizeCalculation: (file, key) => file.byteLength + key.length,
  });
  const making = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    async get(key, make) {
      const file = kept.get(key);
      if (file) return file;
      const begun = making.get(key);
      if (begun) return begun;
      const made = make().finally(() => making.delete(key));
      making.set(key, made);
      const fresh = await made;
      kept.set(key, fresh);
      return fresh;
    },
  };
}
