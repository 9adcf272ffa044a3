import { apart, canBeApart, innerPid } from '#scripts/support/namespaces.ts';
import { postmastersIn } from '#scripts/support/postmaster.ts';
import { get, type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import type { Experiment, Result } from './experiment.ts';
import { behindProxy, type Post, post, type Ticket, takeTickets, tally } from './visitors.ts';

/** Two programs, isolated like two containers, on one data folder; then the one that started the database is killed. */
export const twoNamespaces: Experiment = {
  name: 'two containers on one data folder',
  async run(say): Promise<Result> {
    if (!canBeApart()) return { harm: 0, figures: { skipped: 'unshare is not permitted here' } };
    const data = temporaryFolder();
    const env = { ...behindProxy, DATA_DIR: data.folder };
    const first: Program = await startProgram(env, apart);
    let second: Program | null = null;
    let refusal = '';
    try {
      second = await startProgram(env, apart);
    } catch (error) {
      refusal = String(error).split('\n').at(-2) ?? '';
    }
    let postmasters = postmastersIn(data.folder).length;
    say(second ? 'the second program serves as well' : `the second program refused: ${refusal}`);
    const posts: Post[] = [];
    const send = async (program: Program, tickets: Ticket[]) => {
      for (const ticket of tickets) posts.push(await post(program.url, ticket));
      postmasters = Math.max(postmasters, postmastersIn(data.folder).length);
    };
    const both = second ? [first, second] : [first];
    for (let round = 0; round < 3; round++) {
      for (const program of both) await send(program, await takeTickets(program.url, 20));
    }
    // As when a container is killed: everything in it ends at once, its database too.
    process.kill(innerPid(first.process.pid ?? 0), 'SIGKILL');
    await first.end();
    if (second) {
      const { url } = second;
      await until(async () => (await get(`${url}/readyz`).catch(() => null))?.status === 200).catch(() =>
        say('the second program was not ready again'),
      );
      await send(second, await takeTickets(url, 20));
      process.kill(innerPid(second.process.pid ?? 0), 'SIGTERM');
      await second.end();
    }
    const stored = await tally(data.folder, posts, say);
    data.remove();
    return {
      harm: stored.lost + postmasters - 1,
      figures: {
        'postmasters at once': postmasters,
        posts: posts.length,
        acknowledged: stored.acknowledged,
        lost: stored.lost,
      },
    };
  },
};
