import { clientBackendsIn, postmastersIn } from '#scripts/support/postmaster.ts';
import { get, type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import type { Experiment } from './experiment.ts';
import { behindProxy, keepDoing, type Post, post, takeTickets, tally } from './visitors.ts';

const tries = 16;
/** The ways the database is ended, in turn: SIGQUIT is PostgreSQL's immediate shutdown, SIGINT its fast one. */
const deaths = [
  { name: 'postmaster killed', victims: postmastersIn, signal: 'SIGKILL' },
  { name: 'backend killed', victims: clientBackendsIn, signal: 'SIGKILL' },
  { name: 'immediate stop', victims: postmastersIn, signal: 'SIGQUIT' },
  { name: 'fast stop', victims: postmastersIn, signal: 'SIGINT' },
] as const;

/** The database dies while six requests are in flight; the program must survive and become ready again. */
export const databaseDeaths: Experiment = {
  name: `database dies under load, ${tries} times`,
  async run(say) {
    const data = temporaryFolder();
    const env = { ...behindProxy, DATA_DIR: data.folder };
    let program = await startProgram(env);
    const posts: Post[] = [];
    let [died, neverReady] = [0, 0];
    for (let number = 0; number < tries; number++) {
      const death = deaths[number % deaths.length] ?? deaths[0];
      const tickets = await takeTickets(program.url, 60);
      const { url } = program;
      const reading = keepDoing(3, () => get(`${url}/readyz`).catch(() => null));
      const writing = keepDoing(3, async () => {
        const ticket = tickets.pop();
        if (ticket) posts.push(await post(url, ticket));
      });
      const before = posts.length;
      await until(() => posts.length >= before + 5 || program.process.exitCode !== null, 30_000);
      const [victim] = death.victims(data.folder);
      if (victim) process.kill(victim, death.signal);
      const back = await isReadyAgain(program, victim);
      await Promise.all([reading.stop(), writing.stop()]);
      if (back === 'exited') died++;
      if (back === 'not ready') neverReady++;
      say(`${death.name}: ${back}`);
      if (back !== 'ready') {
        await program.end('SIGKILL');
        program = await startProgram(env);
      }
    }
    await program.end('SIGTERM');
    const stored = await tally(data.folder, posts, say);
    data.remove();
    return {
      harm: died + neverReady + stored.lost,
      figures: {
        'program died': died,
        'not ready again': neverReady,
        acknowledged: stored.acknowledged,
        lost: stored.lost,
      },
    };
  },
};

async function isReadyAgain(program: Program, victim: number | undefined): Promise<'ready' | 'exited' | 'not ready'> {
  const startedAt = performance.now();
  try {
    await until(async () => {
      if (program.process.exitCode !== null) return true;
      // At first /readyz may still return the result from before.
      if (!victim || performance.now() - startedAt < 1500) return false;
      return (await get(`${program.url}/readyz`).catch(() => null))?.status === 200;
    }, 60_000);
  } catch {
    return 'not ready';
  }
  return program.process.exitCode === null ? 'ready' : 'exited';
}
