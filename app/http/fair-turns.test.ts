import { expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { createFairTurns } from './fair-turns.ts';

const ipv4 = (name: string) => ({ customer: name, site: name });

test('turns rotate between keys, and tasks run one at a time', async () => {
  const turns = createFairTurns(1);
  const order: string[] = [];
  let busy = 0;
  const task = (name: string) => async () => {
    busy += 1;
    expect(busy).toBe(1);
    await new Promise(setImmediate);
    order.push(name);
    busy -= 1;
  };
  const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => turns.take(ipv4('a'), task(name)));
  await Promise.all([
    ...flood,
    turns.take(ipv4('b'), task('b1')),
    turns.take(ipv4('c'), task('c1')),
    turns.take(ipv4('b'), task('b2')),
  ]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a site with many customers has four turns in a round, one for each of them in order', async () => {
  const turns = createFairTurns(1);
  const order: string[] = [];
  const take = (customer: string, site: string) =>
    turns.take({ customer, site }, async () => {
      order.push(customer);
    });
  const flood = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6'].map((customer) => take(customer, 'F'));
  const all = Promise.all([...flood, take('a', 'a'), take('f1', 'F'), take('b', 'b')]);
  // The first of the flood had begun when the others came.
  expect(turns.waiting()).toBe(4 + 2);
  await all;
  expect(order).toEqual(['f1', 'f2', 'f3', 'f4', 'f5', 'a', 'b', 'f6', 'f1']);
});

test('a failing task rejects its own promise only; later tasks still run', async () => {
  const turns = createFairTurns(1);
  const failed = turns.take(ipv4('a'), () => Promise.reject(new Error('no')));
  const next = turns.take(ipv4('a'), async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await turns.take(ipv4('a'), async () => 'later')).toBe('later');
});

test('it tells how many keys wait, however much one of them has piled up', async () => {
  const turns = createFairTurns(1);
  const held: (() => void)[] = [];
  const task = () => new Promise<void>((done) => held.push(done));
  const all = Promise.all(['a', 'a', 'a', 'b'].map((key) => turns.take(ipv4(key), task)));
  expect(turns.waiting()).toBe(2);
  expect(turns.waitMs()).toBe(2 * 16);
  for (const at of [0, 1, 2, 3]) {
    await until(() => held.length > at);
    held[at]?.();
  }
  await all;
  expect([turns.waiting(), turns.waitMs()]).toEqual([0, 0]);
});

test('on a busy loop the next task begins after 8 ms, however few iterations other work left', async () => {
  const turns = createFairTurns(16);
  let loops = 0;
  let busy = true;
  const work = () => {
    loops += 1;
    const from = performance.now();
    while (performance.now() - from < 5);
    if (busy) setImmediate(work);
  };
  setImmediate(work);
  const begun: number[] = [];
  const note = async () => void begun.push(loops);
  await Promise.all(['a', 'b', 'c'].map((name) => turns.take({ customer: name, site: name }, note)));
  busy = false;
  const [first = 0, second = 0, third = 0] = begun;
  // Two or three iterations of 5 ms each, not sixteen.
  expect(Math.max(second - first, third - second)).toBeLessThan(5);
});
