import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import type { Experiment } from './experiment.ts';
import { behindProxy, keepDoing, type Post, post, takeTickets, tally } from './visitors.ts';

const kills = 20;

/** kill -9 of the program while it takes messages; its database keeps running and is found by the next start. */
export const programKills: Experiment = {
  name: `program killed under posts, ${kills} times`,
  async run(say) {
    const data = temporaryFolder();
    const posts: Post[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const program = await startProgram({ ...behindProxy, DATA_DIR: data.folder });
      const tickets = await takeTickets(program.url, 40);
      const before = posts.length;
      const writing = keepDoing(4, async () => {
        const ticket = tickets.pop();
        if (ticket) posts.push(await post(program.url, ticket, 5000));
      });
      await until(() => posts.length >= before + 5 + kill, 30_000);
      await program.end('SIGKILL');
      await writing.stop();
    }
    const stored = await tally(data.folder, posts, say);
    say(`${posts.length} posts`);
    data.remove();
    return {
      harm: stored.lost,
      figures: { posts: posts.length, acknowledged: stored.acknowledged, lost: stored.lost },
    };
  },
};
