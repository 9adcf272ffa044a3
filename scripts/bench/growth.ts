import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '#app/db/client.server.ts';
import { freePort } from '#scripts/support/program.ts';
import { buy, withShop } from './enrol.ts';
import { type Figure, type Part, percentile } from './figure.ts';
import { processorSeconds } from './programs.ts';
import { signIn } from './staff.ts';

/** A busy hour: people who open a page every three seconds, staff who do, and one who enrols every ten seconds. */
const hour = { reader: 30, staff: 2, buyer: 1 } as const;
const pauseMs = { reader: 3_000, staff: 3_000, buyer: 10_000 } as const;
const steps = [1, 2, 5, 10, 20, 40, 80];
const stepMs = 25_000;
/** What an answer may take, but for one in a hundred. */
const slowMs = 1_000;

type Kind = keyof typeof hour;
const kinds: readonly Kind[] = ['reader', 'staff', 'buyer'];
type Answer = { kind: Kind; ms: number; status: number };
/** Of what a step used: processors of the program and of its database, and how often the pool had none to give. */
type Use = { program: number; database: number; waiting: number };

/**
 * Readers, staff and buyers grow in steps until one answer in a hundred takes longer than a second, or one is refused
 * or lost. Says what ran out first. The first step warms up.
 */
export const growth: Part = {
  name: 'growth',
  async run(say) {
    const metricsPort = String(await freePort());
    return withShop({ METRICS_PORT: metricsPort }, async ({ program, database, folder, taken }) => {
      const owner = createDb(database.owner, () => undefined);
      const cookie = `sign-in=${await signIn(owner)}`;
      await owner.destroy();
      let buyers = 0;
      const acts: Record<Kind, (turn: number, answered: (ms: number, status: number) => void) => Promise<unknown>> = {
        reader: (turn, answered) =>
          open(`${program.url}${publicPage(turn)}`, { 'X-Forwarded-For': network(turn) }, answered),
        staff: (turn, answered) => open(`${program.url}${staffPage(turn)}`, { Cookie: cookie }, answered),
        buyer: (_, answered) => buy(program.url, buyers++, taken, answered),
      };
      const { pid = 0 } = program.process;
      const watch = () => watchUse({ pid, folder, metricsPort });
      const figures: Figure[] = [];
      for (const [at, step] of [1, ...steps].entries()) {
        const ended = watch();
        const answers = await load(step, acts);
        const used = await ended();
        const p99 = (kind: Kind) =>
          percentile(
            answers.flatMap((one) => (one.kind === kind ? one.ms : [])),
            0.99,
          );
        const refused = answers.filter(({ status }) => status === 0 || status >= 500);
        const slowest = Math.max(...kinds.map(p99));
        say(
          `${step} times: ${answers.length} answers, ${refused.length} refused or lost; p99 ${kinds.map((kind) => `${kind} ${Math.round(p99(kind))}`).join(', ')} ms; processors of the program ${used.program.toFixed(2)}, of the database ${used.database.toFixed(2)}; pool used up ${Math.round(used.waiting * 100)}%`,
        );
        if (at === 0) continue;
        if (slowest <= slowMs && refused.length === 0 && step !== steps.at(-1)) continue;
        figures.push({
          name: 'times a busy hour at which answers came late, were refused or lost',
          ...{ unit: '', value: step, goal: { atLeast: 10 }, note: exhausted(used, refused) },
        });
        break;
      }
      return figures;
    });
  },
};

/** Everybody of a step acts, pauses, and acts again; the answers they got. */
async function load(
  step: number,
  acts: Record<Kind, (turn: number, answered: (ms: number, status: number) => void) => Promise<unknown>>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const until = performance.now() + stepMs;
  const people = kinds.flatMap((kind) =>
    Array.from({ length: hour[kind] * step }, async (_, person) => {
      await sleep(Math.random() * pauseMs[kind]);
      for (let turn = person; performance.now() < until; turn++) {
        const from = performance.now();
        const lost = () => answers.push({ kind, ms: performance.now() - from, status: 0 });
        await acts[kind](turn, (ms, status) => answers.push({ kind, ms, status })).catch(lost);
        await sleep(pauseMs[kind]);
      }
    }),
  );
  await Promise.all(people);
  return answers;
}

async function open(url: string, headers: Record<string, string>, answered: (ms: number, status: number) => void) {
  const from = performance.now();
  const response = await fetch(url, { headers, redirect: 'manual' });
  await response.arrayBuffer();
  answered(performance.now() - from, response.status);
}

const network = (turn: number) => `192.168.${(turn >> 8) & 255}.${turn & 255}`;
/** Home, which is kept in memory, a course, and a search that is rendered afresh. */
const publicPage = (turn: number) => ['/', '/course/cissp', `/courses?search=security+${turn}`][turn % 3];
const staffPage = (turn: number) => ['/staff', '/staff/enrolments', '/staff/classes', '/staff/find?q=ada'][turn % 4];

/** Watches a program and its database from now on; what they used until the end. */
function watchUse({ pid, folder, metricsPort }: { pid: number; folder: string; metricsPort: string }) {
  const from = performance.now();
  const [program, database] = [processorSeconds(pid), databaseSeconds(folder)];
  const samples: boolean[] = [];
  const sampling = setInterval(async () => {
    const text = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    );
    samples.push(Number(/^database_connections\{state="waiting"\} (\d+)/m.exec(text)?.[1] ?? 0) > 0);
  }, 500);
  return async (): Promise<Use> => {
    clearInterval(sampling);
    const seconds = (performance.now() - from) / 1000;
    return {
      program: (processorSeconds(pid) - program) / seconds,
      database: (databaseSeconds(folder) - database) / seconds,
      waiting: samples.filter(Boolean).length / Math.max(1, samples.length),
    };
  };
}

/** Processor time of the processes of a data folder's database that run now. */
function databaseSeconds(folder: string): number {
  const [postmaster = ''] = readFileSync(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  return children.reduce((sum, child) => sum + processorSeconds(Number(child)), 0);
}

function exhausted({ program, database, waiting }: Use, refused: readonly Answer[]): string {
  if (program > 0.85) return 'the processor of the program ran out first';
  if (waiting > 0.5) return 'the pool of connections ran out first';
  if (database > 0.85) return 'the processor of the database ran out first';
  return refused.some(({ kind }) => kind === 'buyer') ? 'the gate before seats was full first' : 'nothing ran out';
}
