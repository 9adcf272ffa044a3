import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { startTcpProxy } from '#scripts/support/tcp-proxy.ts';
import type { Experiment } from './experiment.ts';
import { behindProxy, keepDoing, type Post, post, takeTickets, tally } from './visitors.ts';

const [outageMs, afterwardsMs] = [10_000, 40_000];
const connections = 12;

/** The network to a DATABASE_URL drops every packet for ten seconds. */
export const hungDatabase: Experiment = {
  name: `database hangs for ${outageMs / 1000} s`,
  async run(say) {
    const data = temporaryFolder();
    const server = await openEmbeddedPostgres(data.folder, () => undefined);
    const { host, user, password, database } = server.connection;
    const proxy = await startTcpProxy(`${host}/.s.PGSQL.5432`);
    const program = await startProgram({
      ...behindProxy,
      DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${proxy.port}/${database}`,
      DATABASE_MIGRATION_URL: connectionUrl(server.owner),
    });
    const tickets = await takeTickets(program.url, 500);
    const posts: (Post & { at: number })[] = [];
    const send = async () => {
      const ticket = tickets.pop();
      const at = performance.now();
      if (ticket) posts.push({ ...(await post(program.url, ticket)), at });
    };
    const burst = () => Promise.all(Array.from({ length: connections }, send));
    // Twice: after the first burst the pool is full, and for the second one all its connections are dead.
    await sleep(2_000);
    await burst();
    proxy.dropPackets();
    const caught = burst();
    await sleep(outageMs);
    proxy.passPackets();
    const backAt = performance.now();
    const writing = keepDoing(6, async () => {
      await send();
      await sleep(700);
    });
    await sleep(afterwardsMs);
    await Promise.all([writing.stop(), caught]);
    const after = posts.filter(({ at }) => at > backAt);
    const failed = after.filter(({ reference }) => reference === null);
    const last = Math.max(0, ...failed.map(({ at }) => at - backAt));
    say(`the last post that failed was sent ${Math.round(last)} ms after the return`);
    await program.end('SIGTERM');
    await proxy.close();
    const stored = await tally(data.folder, posts, say);
    await server.release();
    data.remove();
    return {
      harm: failed.length + stored.lost,
      figures: {
        'posts after the return': after.length,
        failed: failed.length,
        'last failure, ms': Math.round(last),
        acknowledged: stored.acknowledged,
        lost: stored.lost,
      },
    };
  },
};
