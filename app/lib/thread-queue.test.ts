import { afterEach, expect, test, vi } from 'vitest';
import { createThreadQueue, type ThreadAnswer } from './thread-queue.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A line of texts, and threads that answer when the test says so. */
function line({ mostWaiting = 10, limitMs = 1000 } = {}) {
  const threads: {
    tasks: string[];
    gone: boolean;
    answer(answer: ThreadAnswer<string>): Promise<void>;
    die(): Promise<void>;
  }[] = [];
  const troubles: string[] = [];
  const queue = createThreadQueue<string, string>({
    keyOf: (task) => task,
    limitMs,
    mostWaiting,
    onTrouble: (why) => troubles.push(why),
    start({ answered, ended }) {
      const own = {
        tasks: [] as string[],
        gone: false,
        async answer(answer: ThreadAnswer<string>) {
          answered(answer);
          await Promise.resolve();
        },
        async die() {
          ended('it died');
          await Promise.resolve();
        },
      };
      threads.push(own);
      return {
        post: (task) => own.tasks.push(task),
        async end() {
          own.gone = true;
        },
      };
    },
  });
  /** Answers the task in hand with its own text, so many times; returns what was done in order. */
  const work = async (times: number) => {
    for (let done = 0; done < times; done++) {
      const thread = threads.at(-1);
      await thread?.answer({ done: true, result: `${thread.tasks.at(-1)}!` });
    }
    return threads.at(-1)?.tasks;
  };
  return { queue, threads, troubles, work };
}

test('a thread is started with the first task and does one after the other', async () => {
  const { queue, threads, work } = line();
  expect(threads).toEqual([]);
  const [first, second] = [queue.run('a', 'x'), queue.run('b', 'x')];
  expect(threads[0]?.tasks).toEqual(['a']);
  await work(2);
  expect([await first, await second]).toEqual([
    { ok: true, result: 'a!' },
    { ok: true, result: 'b!' },
  ]);
  expect(threads).toHaveLength(1);
});

test('people who wait come before mail, and take turns', async () => {
  const { queue, work } = line();
  for (const [task, asker] of [
    ['mail 1', null],
    ['mail 2', null],
    ['x 1', 'x'],
    ['x 2', 'x'],
    ['x 3', 'x'],
    ['y 1', 'y'],
  ] as const) {
    void queue.run(task, asker);
  }
  expect(await work(5)).toEqual(['mail 1', 'x 1', 'y 1', 'x 2', 'x 3', 'mail 2']);
});

test('the same task asked for at once is done once, and goes ahead when somebody waits for it', async () => {
  const { queue, work } = line();
  const asked = [queue.run('in hand', null), queue.run('mail', null), queue.run('invoice', null)];
  const download = queue.run('invoice', 'x');
  expect(await work(3)).toEqual(['in hand', 'invoice', 'mail']);
  expect(await download).toEqual({ ok: true, result: 'invoice!' });
  expect(await asked[2]).toEqual({ ok: true, result: 'invoice!' });
  void queue.run('invoice', 'x');
  expect(await work(0)).toEqual(['in hand', 'invoice', 'mail', 'invoice']);
});

test('a task beyond the queue is refused at once; mail takes no place of tasks for which people wait', async () => {
  const { queue } = line({ mostWaiting: 2 });
  for (const task of ['in hand', 'mail 1', 'mail 2']) void queue.run(task, null);
  expect(await queue.run('mail 3', null)).toEqual({ ok: false, why: 'busy' });
  void queue.run('x 1', 'x');
  void queue.run('y 1', 'y');
  expect(await queue.run('x 2', 'x')).toEqual({ ok: false, why: 'busy' });
});

test('a task over which the thread dies is tried once more with another thread, then it fails', async () => {
  const { queue, threads, troubles, work } = line();
  const [first, second] = [queue.run('a', 'x'), queue.run('b', 'x')];
  await threads[0]?.die();
  expect(threads[1]?.tasks).toEqual(['a']);
  await threads[1]?.die();
  expect(await first).toEqual({ ok: false, why: 'died' });
  expect(threads[2]?.tasks).toEqual(['b']);
  await work(1);
  expect(await second).toEqual({ ok: true, result: 'b!' });
  expect(troubles).toEqual(['it died', 'it died']);
});

test('a thread that dies without work is replaced when there is some', async () => {
  const { queue, threads, work } = line();
  void queue.run('a', 'x');
  await work(1);
  await threads[0]?.die();
  expect(threads).toHaveLength(1);
  void queue.run('b', 'x');
  expect(threads[1]?.tasks).toEqual(['b']);
});

test('a thread that takes too long over a task is ended, and the next one goes on with the rest', async () => {
  vi.useFakeTimers();
  const { queue, threads, work } = line({ limitMs: 1000 });
  const [first, second] = [queue.run('endless', 'x'), queue.run('b', 'x')];
  vi.advanceTimersByTime(999);
  expect(threads[0]?.gone).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await first).toEqual({ ok: false, why: 'too-long' });
  expect([threads[0]?.gone, threads[1]?.tasks]).toEqual([true, ['b']]);
  // What the ended one still says counts for nothing.
  await threads[0]?.answer({ done: true, result: 'late' });
  await work(1);
  expect(await second).toEqual({ ok: true, result: 'b!' });
});

test('the error of a task reaches its caller, and the thread stays', async () => {
  const { queue, threads } = line();
  const failing = queue.run('a', 'x');
  const expected = expect(failing).rejects.toThrow('no such font');
  await threads[0]?.answer({ done: false, error: new Error('no such font') });
  await expected;
  void queue.run('b', 'x');
  expect(threads[0]?.tasks).toEqual(['a', 'b']);
});

test('closing ends the thread and answers everybody', async () => {
  const { queue, threads } = line();
  const [first, second] = [queue.run('a', 'x'), queue.run('b', null)];
  await queue.close();
  const stopping = { ok: false, why: 'stopping' };
  expect([await first, await second, await queue.run('c', 'x')]).toEqual([stopping, stopping, stopping]);
  expect([threads.length, threads[0]?.gone]).toEqual([1, true]);
});
