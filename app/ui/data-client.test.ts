import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchJson } from './data-client.ts';

const fetched = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  fetched.mockReset();
});

const nobodyLeft = new AbortController().signal;

test('P35: a failed request is repeated after 1, 2 and 4 s, then no more', async () => {
  fetched.mockRejectedValueOnce(new TypeError('network')).mockResolvedValue(new Response('', { status: 503 }));
  const answer = fetchJson('/api/seats', nobodyLeft);
  const asked: number[] = [];
  for (const ms of [0, 999, 1, 1999, 1, 3999, 1, 60_000]) {
    await vi.advanceTimersByTimeAsync(ms);
    asked.push(fetched.mock.calls.length);
  }
  expect(asked).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  expect(await answer).toBeNull();
});

test('an answer counts, also of a later try', async () => {
  fetched.mockRejectedValueOnce(new TypeError('network')).mockResolvedValueOnce(Response.json({ available: 3 }));
  const answer = fetchJson('/api/seats', nobodyLeft);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await answer).toEqual({ available: 3 });
});

test('nobody asks again for a page that was left', async () => {
  fetched.mockRejectedValue(new TypeError('network'));
  const left = new AbortController();
  const answer = fetchJson('/api/seats', left.signal);
  left.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await answer).toBeNull();
  expect(fetched).toHaveBeenCalledTimes(1);
});
