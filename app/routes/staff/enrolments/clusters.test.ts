import { expect, test } from 'vitest';
import { clustersOf, firstOf, isJump, type UnpaidEnrolment } from './clusters.ts';

let ids = 0;
const placed = (minute: number, parts: Partial<UnpaidEnrolment> = {}): UnpaidEnrolment => ({
  id: ++ids,
  reference: `BB-${ids}`,
  buyer: 'Ada Byron',
  email: 'ada@example.com',
  title: 'CISSP',
  domain: null,
  network: null,
  placedAt: new Date(Date.UTC(2025, 8, 8, 0, minute)),
  seats: 1,
  owedCents: 100,
  ...parts,
});
const shown = (enrolments: UnpaidEnrolment[]) =>
  clustersOf(enrolments).map(({ shared, enrolments: { length }, seats, owedCents, seatsInDay }) => ({
    shared,
    length,
    seats,
    owedCents,
    seatsInDay,
  }));

test('enrolments of one network, of one domain and in quick succession belong together, the largest first', () => {
  const network = [placed(0, { network: 'n', seats: 6 }), placed(500, { network: 'n', seats: 4 })];
  const domain = [placed(1000, { domain: 'evil.example' }), placed(9000, { domain: 'evil.example', seats: 2 })];
  const quick = [2000, 2002, 2003, 2005, 2006].map((minute) => placed(minute));
  expect(shown([...domain, ...quick, ...network])).toEqual([
    { shared: ['one network'], length: 2, seats: 10, owedCents: 200, seatsInDay: 10 },
    { shared: ['placed in quick succession'], length: 5, seats: 5, owedCents: 500, seatsInDay: 5 },
    { shared: ['addresses of evil.example'], length: 2, seats: 3, owedCents: 200, seatsInDay: 2 },
  ]);
});

test('enrolments with several common features are one cluster; one feature, or four in a row, is none', () => {
  const both = { network: 'n', domain: 'evil.example' };
  expect(shown([placed(0, both), placed(60, both)])).toMatchObject([
    { shared: ['one network', 'addresses of evil.example'], length: 2 },
  ]);
  expect(shown([placed(0, both), ...[100, 101, 102, 103].map((minute) => placed(minute))])).toEqual([]);
  // Three minutes between them are not quick.
  expect(shown([0, 2, 4, 7, 9, 11].map((minute) => placed(minute)))).toEqual([]);
});

test('ten seats within a day are a jump, nine are none, and neither are ten over two days', () => {
  const jumps = (...seats: [minute: number, count: number][]) =>
    clustersOf(seats.map(([minute, count]) => placed(minute, { network: 'n', seats: count }))).map(isJump);
  expect(jumps([0, 6], [1439, 4])).toEqual([true]);
  expect(jumps([0, 6], [1439, 3])).toEqual([false]);
  expect(jumps([0, 6], [1440, 4])).toEqual([false]);
});

test('a page shows so many enrolments, of the largest clusters, and counts those that are left', () => {
  const of = (network: string, count: number) =>
    Array.from({ length: count }, (_, at) => placed(at * 500, { network }));
  const clusters = clustersOf([...of('b', 3), ...of('a', 4), ...of('c', 2)]);
  const lengths = (most: number) => {
    const { clusters: shown, more } = firstOf(clusters, most);
    return [shown.map(({ first }) => first.length), more];
  };
  expect(lengths(3)).toEqual([[3], 2]);
  expect(lengths(6)).toEqual([[4, 2], 1]);
  expect(lengths(9)).toEqual([[4, 3, 2], 0]);
});
