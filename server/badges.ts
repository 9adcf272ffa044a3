import { file } from 'virtual:badge-thread';
import { LRUCache } from 'lru-cache';
import type { BadgeResults, Badges, BadgeTask } from '#app/features/study/badges/badge.ts';
import type { SignedJson } from '#app/features/study/badges/documents.ts';
import type { Log } from '#app/http/log.server.ts';
import { createThreadQueue } from '#app/lib/thread-queue.ts';
import { startThread } from './thread.ts';

/** A signature takes some 50 ms, the first one of a thread half a second. */
const limitMs = 20_000;
const mostWaiting = 64;
/** How long a badge that was verified is taken for verified, and how many are remembered. */
const verifiedForMs = 10 * 60 * 1000;
const mostRemembered = 2000;

/** Signs and verifies badges away from the thread that serves; the packages for it are loaded with the first task. */
export function openBadges(origin: string | null, log: Log): Badges & { close(): Promise<void> } {
  const worker = file === null ? inThisThread : inThread(new URL(file), log);
  const looked = new LRUCache<string, { verified: boolean; at: Date }>({ max: mostRemembered, ttl: verifiedForMs });
  const run: Badges['do'] = async <Task extends BadgeTask>(task: Task) =>
    // A task of a kind has the result of that kind.
    (await worker.run(task)) as BadgeResults[Task['kind']];
  return {
    origin,
    do: run,
    async verify({ credential, didDocument }, at) {
      const key = `${credential}${JSON.stringify(didDocument)}`;
      const known = looked.get(key);
      if (known) return known;
      const document = JSON.parse(credential) as SignedJson;
      const result = await run({ kind: 'verify', document, didDocument });
      if (!result.verified) log.error({ why: result.why }, 'the signature of a badge does not hold');
      const found = { verified: result.verified, at };
      looked.set(key, found);
      return found;
    },
    close: worker.close,
  };
}

type Result = BadgeResults[BadgeTask['kind']];
type Worker = { run(task: BadgeTask): Promise<Result>; close(): Promise<void> };

function inThread(from: URL, log: Log): Worker {
  const queue = createThreadQueue<BadgeTask, Result>({
    start: (listeners) => startThread(from, 'badges', listeners),
    keyOf: (task) => JSON.stringify(task),
    limitMs,
    mostWaiting,
    onTrouble: (why) => log.error({ why }, 'the thread for badges ended'),
  });
  return {
    async run(task) {
      const done = await queue.run(task, task.kind === 'verify' ? 'visitor' : null);
      if (!done.ok) throw new Error(`a badge could not be worked on: ${done.why}`);
      return done.result;
    },
    close: () => queue.close(),
  };
}

/** For development, which has no built file. */
const inThisThread: Worker = {
  run: async (task) => (await import('#app/features/study/badges/sign.ts')).doHere(task),
  close: async () => undefined,
};
