import { expect, test } from 'vitest';
import { atMost } from './at-most.ts';

/** Work that ends when it is told to. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, { resolve: (value: string) => void; reject: (error: Error) => void }>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }));
  };
  return {
    begun,
    work,
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string, error: Error) => ends.get(name)?.reject(error),
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('two are under way at once, the others begin in their order as soon as one has ended', async () => {
  const { begun, work, end } = held();
  const turn = atMost(2);
  const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => turn(work(name))));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await settled();
  end('d');
  expect(await all).toEqual(['a', 'b', 'c', 'd']);
  // All places are free again.
  const later = [turn(work('e')), turn(work('f')), turn(work('g'))];
  await settled();
  expect(begun.slice(4)).toEqual(['e', 'f']);
  for (const name of ['e', 'f']) end(name);
  await settled();
  end('g');
  expect(await Promise.all(later)).toEqual(['e', 'f', 'g']);
});

test('after a failure nothing begins any more', async () => {
  const { begun, work, fail } = held();
  const turn = atMost(1);
  const works = ['a', 'b', 'c'].map((name) => turn(work(name)));
  const outcome = Promise.allSettled(works);
  await settled();
  const away = new Error('away');
  fail('a', away);
  expect((await outcome).map((one) => one.status === 'rejected' && one.reason)).toEqual([away, away, away]);
  expect(begun).toEqual(['a']);
});
