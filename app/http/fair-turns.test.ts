import { expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { createFairTurns } from './fair-turns.ts';

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
  const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => turns.take('a', task(name)));
  await Promise.all([...flood, turns.take('b', task('b1')), turns.take('c', task('c1')), turns.take('b', task('b2'))]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a failing task rejects its own promise only; later tasks still run', async () => {
  const turns = createFairTurns(1);
  const failed = turns.take('a', () => Promise.reject(new Error('no')));
  const next = turns.take('a', async () => 'yes');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await turns.take('a', async () => 'later')).toBe('later');
});

test('it tells how many keys wait, however much one of them has piled up', async () => {
  const turns = createFairTurns(1);
  const held: (() => void)[] = [];
  const task = () => new Promise<void>((done) => held.push(done));
  const all = Promise.all(['a', 'a', 'a', 'b'].map((key) => turns.take(key, task)));
  expect(turns.waiting()).toBe(2);
  for (const at of [0, 1, 2, 3]) {
    await until(() => held.length > at);
    held[at]?.();
  }
  await all;
  expect(turns.waiting()).toBe(0);
});
