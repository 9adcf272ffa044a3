import { expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { watchLoopDelay } from './traffic.server.ts';

test('a loop that comes late again and again is noticed, and so is its recovery', async () => {
  const delay = watchLoopDelay();
  const still = new Int32Array(new SharedArrayBuffer(4));
  await until(() => {
    Atomics.wait(still, 0, 0, 150);
    return delay.sustainedMs() > 100;
  });
  await until(() => delay.sustainedMs() < 50);
  delay.stop();
  expect(delay.sustainedMs()).toBeLessThan(50);
});
