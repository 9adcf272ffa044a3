import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, JobResult, PgBoss } from 'pg-boss';
import type { Db } from '#app/db/client.server.ts';
import type { jobLog } from '#app/jobs/job-log.server.ts';
import { type Clock, trueTime } from '#app/lib/clock.ts';
import { watchMailServer } from './mail-server-watch.server.ts';
import { type MailJob, queues, releaseOne } from './queue.server.ts';
import type { Answer, MailTransport } from './transport.server.ts';

/** The result of a job; `answer` is null when nothing was handed over. */
export type Attempted = Pick<JobResult<object>, 'status' | 'output'> & { answer: Answer | null };

type Works = {
  db: Db;
  boss: PgBoss;
  transport: MailTransport;
  clock: Clock;
  log: Record<'info' | 'error', (fields: object, message: string) => void>;
  told: ReturnType<typeof jobLog>;
  attempt(mailId: string): Promise<Attempted>;
  giveUp(mailId: string): Promise<void>;
};

/** Mails that this process delivers at once; the transport keeps as many connections as there can be. */
const atOnce = 8;
/** An attempt that takes longer than this makes room for another, as long as there are no more than these. */
const slowMs = 1_000;
const mostAtOnce = 2 * atOnce;
/** The most workers for one domain, and for a domain that lately did not answer. */
const ofDomain = 3;
const ofTroubled = 1;
const troubleMs = 5_000;
const troubledForMs = 10 * 60_000;
const pollMs = 500;
const stopMs = 5_000;

type Running = { group: string | null; begun: number };
type Taken = { mailId: string; group: string | null; done: Promise<Answer | null> };

/**
 * Delivers mails until stopped, the most urgent first. What hangs leaves room for others: a domain has a few places
 * only, one once it did not answer, and slow attempts do not count. While the mail server is away no mail is taken.
 */
export function startWorkers(works: Works): { stop(): Promise<void> } {
  const { boss, transport, told, attempt, giveUp } = works;
  const running = new Map<Running, Promise<unknown>>();
  const troubledSince = new Map<string, number>();
  const watch = watchMailServer(works, {
    async probe() {
      await releaseOne(works.db);
      return (await take())?.done ?? null;
    },
  });
  let stopping = false;

  const hasRoom = () => {
    const now = performance.now();
    const quick = [...running.keys()].filter(({ begun }) => now - begun < slowMs).length;
    return quick < atOnce && running.size < mostAtOnce;
  };
  /** The domains that have all their places taken. */
  const fullGroups = () => {
    const count = new Map<string, number>();
    for (const { group } of running.keys()) if (group) count.set(group, (count.get(group) ?? 0) + 1);
    return [...count].filter(([group, taken]) => taken >= (isTroubled(group) ? ofTroubled : ofDomain)).map(([g]) => g);
  };
  const isTroubled = (group: string) => performance.now() - (troubledSince.get(group) ?? -Infinity) < troubledForMs;

  /** Begins with the next mail; null when none is due. */
  async function take(): Promise<Taken | null> {
    const ignoreGroups = fullGroups();
    const [job] = await boss.fetch<MailJob>(queues.mail, ignoreGroups.length > 0 ? { ignoreGroups } : {});
    if (!job) return null;
    const one = { group: job.groupId ?? null, begun: performance.now() };
    const done = work(job, one).finally(() => running.delete(one));
    running.set(one, done);
    return { mailId: job.data.mailId, group: one.group, done };
  }

  async function work({ id, data }: Job<MailJob>, one: Running): Promise<Answer | null> {
    const { status, output, answer } = await attempt(data.mailId);
    if (status === 'failed') await boss.fail(queues.mail, id, output ?? null);
    else {
      if (status === 'deadletter') await giveUp(data.mailId);
      await boss.complete(queues.mail, id, output ?? null);
    }
    if (answer && one.group) noteTrouble(one, one.group, answer);
    return answer;
  }

  function noteTrouble({ begun }: Running, group: string, { outcome }: Answer): void {
    const settled = outcome === 'delivered' || outcome === 'refused';
    if (!settled && performance.now() - begun > troubleMs) troubledSince.set(group, performance.now());
    else if (outcome === 'delivered') troubledSince.delete(group);
  }

  async function turn(): Promise<void> {
    while (!stopping && hasRoom() && watch.allows()) {
      const begunAt = trueTime(works.clock);
      const taken = await take();
      if (!taken) return;
      const { done, mailId, group } = taken;
      void done
        .then((answer) => answer && watch.heard({ answer, begunAt, mailId, group }))
        .catch(told.failed)
        .finally(() => wake());
    }
  }

  let turning: Promise<void> | null = null;
  let again = false;
  function wake(look = false): void {
    if (stopping) return;
    if (turning) {
      again = true;
      return;
    }
    again = false;
    turning = (look ? watch.look().then(turn) : turn()).then(told.worked, told.failed).finally(() => {
      turning = null;
      if (again) wake();
    });
  }
  const timer = setInterval(() => wake(true), pollMs);
  wake(true);
  return {
    async stop() {
      stopping = true;
      clearInterval(timer);
      const rest = async () => void (await Promise.allSettled([turning, ...running.values()]));
      await Promise.race([rest(), sleep(stopMs, undefined, { ref: false })]);
      transport.close();
      // An attempt that is cut off ends as unanswered; if the process dies before that, another one tries again.
      await Promise.race([rest(), sleep(slowMs, undefined, { ref: false })]);
    },
  };
}
