/** A thread that does one task after the other, as its owner sees it. */
export type Thread<Task> = {
  /** Hands a task over; its answer comes to `answered`. */
  post(task: Task): void;
  /** Ends it in the middle of a task; `ended` is not called any more. */
  end(): Promise<void>;
};

export type ThreadAnswer<Result> = { done: true; result: Result } | { done: false; error: unknown };

type Listeners<Result> = {
  answered(answer: ThreadAnswer<Result>): void;
  /** The thread ended unexpectedly. */
  ended(why: string): void;
};

/** Why a task has no result: too many wait, it took too long, the thread ended twice over it, or the program stops. */
type NotDone = { ok: false; why: 'busy' | 'too-long' | 'died' | 'stopping' };

export type ThreadQueue<Task, Result> = {
  /**
   * The result of a task. `asker` identifies who waits for it, such as a network address; null when nobody does. Tasks
   * with an asker come first and take turns; the same task asked for at once is done once. Rejects with the error of
   * the task.
   */
  run(task: Task, asker: string | null): Promise<{ ok: true; result: Result } | NotDone>;
  /** Ends the thread. What is not done is answered as not done, and so is everything afterwards. */
  close(): Promise<void>;
};

type Needs<Task, Result> = {
  /** Started when the first task comes, and again when it ended. */
  start(listeners: Listeners<Result>): Thread<Task>;
  /** The same for the same task. */
  keyOf(task: Task): string;
  /** Milliseconds that a task may take, the start of the thread included; then the thread is ended. */
  limitMs: number;
  /** Tasks that may wait, for those with an asker and for those without. */
  mostWaiting: number;
  /** Told when a thread ended that should not have. */
  onTrouble(why: string): void;
};

type Job<Task, Result> = {
  key: string;
  task: Task;
  asker: string | null;
  starts: number;
  promise: Promise<{ ok: true; result: Result } | NotDone>;
  resolve(result: { ok: true; result: Result } | NotDone): void;
  reject(error: unknown): void;
};

/** A line of tasks for one thread. A task during which the thread ended is tried once more, with another thread. */
export function createThreadQueue<Task, Result>(needs: Needs<Task, Result>): ThreadQueue<Task, Result> {
  const jobs = new Map<string, Job<Task, Result>>();
  // In the order of their turns: one that had a turn goes to the end.
  const lines = new Map<string, Job<Task, Result>[]>();
  let unasked: Job<Task, Result>[] = [];
  let thread: Thread<Task> | null = null;
  let running: { job: Job<Task, Result>; timer: NodeJS.Timeout } | null = null;
  let closed = false;

  function takeNext(): Job<Task, Result> | undefined {
    for (const [asker, line] of lines) {
      lines.delete(asker);
      const job = line.shift();
      if (line.length > 0) lines.set(asker, line);
      if (job) return job;
    }
    return unasked.shift();
  }

  function enqueue(job: Job<Task, Result>): boolean {
    const line = job.asker === null ? unasked : (lines.get(job.asker) ?? []);
    const waiting = job.asker === null ? unasked.length : [...lines.values()].reduce((sum, one) => sum + one.length, 0);
    if (waiting >= needs.mostWaiting) return false;
    line.push(job);
    if (job.asker !== null) lines.set(job.asker, line);
    return true;
  }

  function next(): void {
    if (running || closed) return;
    const job = takeNext();
    if (job) begin(job);
  }

  function begin(job: Job<Task, Result>): void {
    job.starts++;
    const timer = setTimeout(() => {
      needs.onTrouble(`a task took longer than ${needs.limitMs} ms`);
      void thread?.end();
      thread = null;
      finish(() => job.resolve({ ok: false, why: 'too-long' }));
    }, needs.limitMs);
    running = { job, timer };
    try {
      thread ??= startThread();
      thread.post(job.task);
    } catch (error) {
      // A task that cannot be sent to a thread is a bug of the caller.
      finish(() => job.reject(error));
    }
  }

  function startThread(): Thread<Task> {
    const own = needs.start({
      answered(answer) {
        if (own !== thread || !running) return;
        const { job } = running;
        finish(() => (answer.done ? job.resolve({ ok: true, result: answer.result }) : job.reject(answer.error)));
      },
      ended(why) {
        if (own !== thread) return;
        thread = null;
        needs.onTrouble(why);
        if (!running) return;
        const { job, timer } = running;
        clearTimeout(timer);
        running = null;
        if (job.starts < 2) begin(job);
        else {
          running = { job, timer };
          finish(() => job.resolve({ ok: false, why: 'died' }));
        }
      },
    });
    return own;
  }

  function finish(settle: () => void): void {
    if (!running) return;
    clearTimeout(running.timer);
    jobs.delete(running.job.key);
    running = null;
    settle();
    next();
  }

  return {
    run(task, asker) {
      if (closed) return Promise.resolve({ ok: false, why: 'stopping' });
      const key = needs.keyOf(task);
      const same = jobs.get(key);
      if (same) {
        // A person waits for this task now: it moves up.
        if (asker !== null && unasked.includes(same)) {
          unasked = unasked.filter((job) => job !== same);
          same.asker = asker;
          if (!enqueue(same)) unasked.unshift(same);
        }
        return same.promise;
      }
      const job: Job<Task, Result> = { key, task, asker, starts: 0, ...Promise.withResolvers() };
      if (!enqueue(job)) return Promise.resolve({ ok: false, why: 'busy' });
      jobs.set(key, job);
      next();
      return job.promise;
    },
    async close() {
      closed = true;
      if (running) clearTimeout(running.timer);
      running = null;
      for (const job of jobs.values()) job.resolve({ ok: false, why: 'stopping' });
      jobs.clear();
      const last = thread;
      thread = null;
      await last?.end();
    },
  };
}
