import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { databaseTrouble } from '#app/db/connection-failure.server.ts';
import { createSeatGate, type SeatGate } from './seat-gate.server.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Passes the gate with work that lasts until `end` is called; `state` is how far it has come. */
function visit(gate: SeatGate, courseDateIds: number[]) {
  let end: (error?: Error) => void = () => undefined;
  const visit = { state: 'waits', end: (error?: Error) => end(error), done: Promise.resolve() };
  visit.done = gate
    .pass(courseDateIds, () => {
      visit.state = 'runs';
      return new Promise<void>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve());
      });
    })
    .then(
      () => {
        visit.state = 'ended';
      },
      (error: unknown) => {
        visit.state = databaseTrouble(error) ?? 'failed';
      },
    );
  return visit;
}
const settle = () => vi.advanceTimersByTimeAsync(0);
const statesOf = (visits: { state: string }[]) => visits.map(({ state }) => state);

test('two of a course date run at once, thirty wait, and the next is told at once that it is busy', async () => {
  const gate = createSeatGate(6);
  const visits = Array.from({ length: 33 }, () => visit(gate, [1]));
  await settle();
  expect(statesOf(visits)).toEqual([...Array(2).fill('runs'), ...Array(30).fill('waits'), 'busy']);
  visits[0]?.end();
  await settle();
  expect(statesOf(visits.slice(0, 4))).toEqual(['ended', 'runs', 'runs', 'waits']);
  // One more may wait now.
  const later = visit(gate, [1]);
  await settle();
  expect(later.state).toBe('waits');
});

test('buyers of one course date never make buyers of another wait', async () => {
  const gate = createSeatGate(6);
  for (let count = 0; count < 40; count++) visit(gate, [1]);
  const other = visit(gate, [2]);
  await settle();
  expect(other.state).toBe('runs');
});

test('course dates together run at most as many as may have connections, in the order in which they came', async () => {
  const gate = createSeatGate(3);
  const visits = [1, 1, 2, 2, 3].map((id) => visit(gate, [id]));
  await settle();
  expect(statesOf(visits)).toEqual(['runs', 'runs', 'runs', 'waits', 'waits']);
  visits[0]?.end();
  await settle();
  expect(statesOf(visits)).toEqual(['ended', 'runs', 'runs', 'runs', 'waits']);
});

test('after five seconds of waiting a visitor is told that it is busy, and leaves the row', async () => {
  const gate = createSeatGate(6);
  const [first, , waiting] = [visit(gate, [1]), visit(gate, [1]), visit(gate, [1])];
  await vi.advanceTimersByTimeAsync(4_999);
  expect(waiting?.state).toBe('waits');
  await vi.advanceTimersByTimeAsync(1);
  expect(waiting?.state).toBe('busy');
  first?.end();
  await settle();
  const next = visit(gate, [1]);
  await settle();
  expect(next.state).toBe('runs');
});

test('work that fails gives its turn to the next', async () => {
  const gate = createSeatGate(1);
  const [failing, next] = [visit(gate, [1]), visit(gate, [1])];
  await settle();
  failing?.end(new Error('a bug'));
  await settle();
  expect([failing?.state, next?.state]).toEqual(['failed', 'runs']);
});

test('transactions that touch the same course dates in different orders do not wait for each other for ever', async () => {
  const gate = createSeatGate(6);
  const visits = Array.from({ length: 20 }, (_, at) => visit(gate, at % 2 ? [1, 2] : [2, 1, 2]));
  for (let count = 0; count < 20; count++) {
    await settle();
    const running = visits.filter(({ state }) => state === 'runs');
    expect(running.length).toBeLessThanOrEqual(2);
    running[0]?.end();
  }
  await settle();
  expect(new Set(statesOf(visits))).toEqual(new Set(['ended']));
});

test('work without a course date passes at once', async () => {
  const gate = createSeatGate(1);
  const visits = [visit(gate, [1]), visit(gate, []), visit(gate, [])];
  await settle();
  expect(statesOf(visits)).toEqual(['runs', 'runs', 'runs']);
});
