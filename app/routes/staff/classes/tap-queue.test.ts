import { expect, test } from 'vitest';
import { type Answer, addTap, forgetRefused, type QueuedTap, readTaps, sendTaps } from './use-taps.ts';

function device() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
}
const tap = (key: string, parts: Partial<QueuedTap> = {}): QueuedTap => ({
  key,
  personId: 1,
  slug: 'a',
  placeId: 7,
  day: '2025-11-03',
  mark: 'present',
  tappedMs: 0,
  ...parts,
});
const keys = (store: Parameters<typeof readTaps>[0]) => readTaps(store).map(({ key }) => key);

test('P59: taps wait while the network is gone and go in their order when it is back', async () => {
  const store = device();
  addTap(store, tap('one'));
  addTap(store, tap('two', { mark: 'absent' }));
  expect(await sendTaps(store, 1, () => Promise.reject(new TypeError('Failed to fetch')))).toBe('no-network');
  expect(await sendTaps(store, 1, async () => ({ status: 503 }))).toBe('no-network');
  expect(keys(store)).toEqual(['one', 'two']);
  const sent: string[][] = [];
  const take = async (taps: readonly QueuedTap[]): Promise<Answer> => {
    sent.push(taps.map(({ key }) => key));
    // Tapped while the others were under way.
    if (sent.length === 1) addTap(store, tap('three'));
    return { status: 200, results: Object.fromEntries(taps.map(({ key }) => [key, null])) };
  };
  expect(await sendTaps(store, 1, take)).toBe('all');
  expect(sent).toEqual([['one', 'two'], ['three']]);
  expect(keys(store)).toEqual([]);
});

test('P59: a refused tap is told and not sent again; the others are taken', async () => {
  const store = device();
  addTap(store, tap('moved'));
  addTap(store, tap('here'));
  const answer = { status: 200, results: { moved: 'Is no longer in this class.', here: null } };
  let times = 0;
  expect(await sendTaps(store, 1, async () => (++times > 1 ? expect.unreachable('sent again') : answer))).toBe('all');
  expect(readTaps(store)).toEqual([tap('moved', { refused: 'Is no longer in this class.' })]);
  forgetRefused(store);
  expect(readTaps(store)).toEqual([]);
});

test('P59: who was signed out, or may no longer mark, loses nothing, and nobody sends the taps of another', async () => {
  const store = device();
  addTap(store, tap('one'));
  expect(await sendTaps(store, 1, async () => ({ status: 401 }))).toBe('signed-out');
  expect(await sendTaps(store, 1, async () => ({ status: 403 }))).toBe('not-allowed');
  expect(await sendTaps(store, 2, async () => expect.unreachable('not theirs'))).toBe('all');
  expect(keys(store)).toEqual(['one']);
  // An answer that names none of them is no answer.
  expect(await sendTaps(store, 1, async () => ({ status: 200, results: {} }))).toBe('no-network');
});

test('unreadable entries on the device count as none', () => {
  const store = device();
  store.setItem('class-taps', '{');
  expect(readTaps(store)).toEqual([]);
  store.setItem('class-taps', '{"a":1}');
  expect(readTaps(store)).toEqual([]);
});
