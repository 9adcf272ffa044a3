import { Agent, request } from 'node:http';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import type { Experiment } from './experiment.ts';

const [stops, clients] = [15, 12];

type Counts = { answered: number; resets: number };

/** SIGTERM while twelve clients send requests as fast as they can, half of them on a new connection for each. */
export const stopsUnderLoad: Experiment = {
  name: `SIGTERM under ${clients} clients that never pause, ${stops} times`,
  async run(say) {
    const data = temporaryFolder();
    const counts: Counts = { answered: 0, resets: 0 };
    let slowestMs = 0;
    for (let stop = 0; stop < stops; stop++) {
      const program = await startProgram({ DATA_DIR: data.folder, LOG_LEVEL: 'warn' });
      const before = { ...counts };
      const running = Array.from({ length: clients }, (_, at) => askUntilClosed(program.url, at % 2 === 0, counts));
      await until(() => counts.answered > before.answered + clients * 5, 30_000);
      const startedAt = performance.now();
      await program.end('SIGTERM');
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      await Promise.all(running);
      say(`stop ${stop + 1}: ${counts.answered - before.answered} answered, ${counts.resets - before.resets} reset`);
    }
    data.remove();
    return {
      harm: counts.resets,
      figures: { answered: counts.answered, resets: counts.resets, 'slowest stop, ms': Math.round(slowestMs) },
    };
  },
};

/** One client in a tight loop; ends when a new connection is refused. Any other failure counts as a dropped request. */
async function askUntilClosed(url: string, keepAlive: boolean, counts: Counts): Promise<void> {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  for (;;) {
    const outcome = await ask(`${url}/about`, agent);
    if (outcome === 'ECONNREFUSED') break;
    if (outcome === 'answered') counts.answered++;
    else counts.resets++;
  }
  agent.destroy();
}

function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve('answered'));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'broken'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'broken'));
    sent.end();
  });
}
