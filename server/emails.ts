import { randomUUID } from 'node:crypto';
import { file } from 'virtual:email-thread';
import type { EmailReader, EmailResults, EmailTask } from '#app/features/inbox/email/email.ts';
import type { Log } from '#app/http/log.server.ts';
import { createThreadQueue } from '#app/lib/thread-queue.ts';
import { startThread } from './thread.ts';

/** An email of 15 MB takes a second, one made to take long some four. */
const limitMs = 10_000;
const mostWaiting = 16;

/** Reads the emails of this process, away from the thread that serves: anybody can write to us, anything. */
export function openEmailReader(log: Log): EmailReader & { close(): Promise<void> } {
  if (file === null) return { do: readInThisThread, close: async () => undefined };
  const from = new URL(file);
  const queue = createThreadQueue<EmailTask, EmailResults[EmailTask['kind']]>({
    start: (listeners) => startThread(from, 'emails', listeners),
    // Each is a task of its own.
    keyOf: () => randomUUID(),
    limitMs,
    mostWaiting,
    onTrouble: (why) => log.error({ why }, 'the thread that reads emails ended'),
  });
  return {
    async do<Task extends EmailTask>(task: Task) {
      const done = await queue.run(task, null);
      if (!done.ok) throw new Error(`an email was not read: ${done.why}`);
      // A task of a kind has the result of that kind.
      return done.result as EmailResults[Task['kind']];
    },
    close: () => queue.close(),
  };
}

/** For development, which has no built file. */
async function readInThisThread<Task extends EmailTask>(task: Task): Promise<EmailResults[Task['kind']]> {
  return (await import('#app/features/inbox/email/parse.ts')).readHere(task);
}
