import { expect, test } from 'vitest';
import { createArrivals, isRefused } from './admission.ts';

const ipv4 = (name: string) => ({ customer: name, site: name });

test.each([
  // At an ordinary load nobody is refused, however often they came.
  [1, 1000, false],
  // Beyond it, networks that came 24 times or more, which no person does in ten seconds.
  [1.01, 24, true],
  [1.01, 23, false],
  [2, 16, false],
  [2.01, 16, true],
  [3.01, 8, true],
  // Somebody in the middle of enrolling: two requests for each of three steps.
  [3.2, 6, false],
  [4, 0, false],
  // Hopelessly behind: everybody.
  [4.01, 0, true],
])('at %d times the ordinary load a network that came %d times lately is refused: %s', (load, lately, refused) => {
  expect(isRefused(load, lately)).toBe(refused);
});

test('requests are counted for five to ten seconds, each network by itself', () => {
  const arrivals = createArrivals();
  const note = (name: string, seconds: number) => arrivals.note(ipv4(name), 1_000_000 + seconds * 1000);
  expect([note('a', 0), note('a', 1), note('a', 4), note('b', 4)]).toEqual([0, 1, 2, 0]);
  expect([note('a', 6), note('b', 6)]).toEqual([3, 1]);
  // Those of the first five seconds are forgotten.
  expect([note('a', 11), note('b', 11)]).toEqual([1, 1]);
  expect([note('a', 60), note('b', 60)]).toEqual([0, 0]);
});

test('a site that comes from many networks has come as often as a quarter of its requests', () => {
  const arrivals = createArrivals();
  const lately = Array.from({ length: 25 }, (_, at) => arrivals.note({ customer: `c${at}`, site: 'site' }, 1));
  expect([lately[0], lately[4], lately[24]]).toEqual([0, 1, 6]);
  expect(arrivals.note({ customer: 'c0', site: 'site' }, 1)).toBe(6.25);
});

test('of a crowd, clients with one request are served while insistent ones are refused', () => {
  const arrivals = createArrivals();
  const load = 1.5;
  const ask = (name: string, at: number) => !isRefused(load, arrivals.note(ipv4(name), at));
  const insistent = Array.from({ length: 100 }, (_, number) =>
    Array.from({ length: 40 }, (_, at) => ask(`insistent ${number}`, at)).filter(Boolean),
  );
  // Twenty of each and one more, then none.
  expect(new Set(insistent.map(({ length }) => length))).toEqual(new Set([21]));
  expect(Array.from({ length: 40 }, (_, number) => ask(`visitor ${number}`, 20)).every(Boolean)).toBe(true);
});
