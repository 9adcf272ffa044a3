import { afterEach, expect, test, vi } from 'vitest';
import type { Db } from '#app/db/client.server.ts';
import { type Attachable, attach, preparedWithinMs } from './delivery.server.ts';

import { mailQueue } from './queue.server.ts';
import { handOverMs } from './transport.server.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('an attempt at a mail ends before the queue begins another, with some seconds for its statements', () => {
  expect(preparedWithinMs + handOverMs).toBeLessThanOrEqual((mailQueue.expireInSeconds - 5) * 1000);
});

test('the documents of a mail share one time limit: four that take six seconds each are not made in 24', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const documentOf = (document: string) => {
    asked.push(document);
    const { promise, resolve } = Promise.withResolvers<Attachable>();
    setTimeout(resolve, 6_000, { ok: true, bytes: new Uint8Array(1) });
    return promise;
  };
  const attachments = [1, 2, 3, 4].map((id) => ({ filename: `${id}.pdf`, document: `tax-invoice:${id}` }));
  // At a first attempt nothing is recorded in the database.
  const needs = { db: {} as Db, documentOf, clock: { now: () => new Date(0), aheadMs: 0 }, log: { error: () => {} } };
  const ended = vi.fn();
  void attach(needs, { id: '1', attachments }, { number: 1, withinMs: 15_000 }).then(ended);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledExactlyOnceWith({ ok: false, why: 'too-long' });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toHaveLength(3);
});

test('documents that are made in time are attached in their order', async () => {
  const documentOf = async (document: string): Promise<Attachable> => ({
    ok: true,
    bytes: new TextEncoder().encode(document),
  });
  const attachments = [1, 2].map((id) => ({ filename: `${id}.pdf`, document: `tax-invoice:${id}` }));
  const needs = { db: {} as Db, documentOf, clock: { now: () => new Date(0), aheadMs: 0 }, log: { error: () => {} } };
  const attached = await attach(needs, { id: '1', attachments }, { number: 1, withinMs: 15_000 });
  expect(attached.ok && attached.files.map(({ filename, content }) => [filename, `${content}`])).toEqual([
    ['1.pdf', 'tax-invoice:1'],
    ['2.pdf', 'tax-invoice:2'],
  ]);
});
