import { expect, test } from 'vitest';
import { createFileCache } from './traffic.server.ts';

const bytes = (length: number) => new Uint8Array(length);

test('simultaneous requests for a file make it once, and it is cached', async () => {
  const cache = createFileCache(1000);
  let made = 0;
  const make = async () => {
    made += 1;
    return bytes(10);
  };
  const [one, two] = await Promise.all([cache.get('a', make), cache.get('a', make)]);
  expect(one).toBe(two);
  expect(await cache.get('a', make)).toBe(one);
  expect(made).toBe(1);
});

test('a failure is not cached', async () => {
  const cache = createFileCache(1000);
  await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await cache.get('a', async () => bytes(3))).toHaveLength(3);
});

test('the cache stays within its size: the least recently used files are removed first', async () => {
  const cache = createFileCache(100);
  for (const key of ['a', 'b', 'c']) await cache.get(key, async () => bytes(40));
  const again: string[] = [];
  for (const key of ['c', 'b', 'a']) {
    await cache.get(key, async () => {
      again.push(key);
      return bytes(40);
    });
  }
  expect(again).toEqual(['a']);
});
