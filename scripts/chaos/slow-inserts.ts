import pg from 'pg';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { startProgram, temporaryFolder } from '#scripts/support/program.ts';
import type { Experiment } from './experiment.ts';
import { behindProxy, type Post, post, storedMessages, takeTickets } from './visitors.ts';

const slowTrigger = `
  create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(18); return new; end $$;
  create trigger slow before insert on enquiries for each row execute function slow()`;

/** Inserts that take longer than the program waits: a form that the page calls not sent must not be stored. */
export const slowInserts: Experiment = {
  name: 'inserts blocked and slow',
  async run(say) {
    const data = temporaryFolder();
    const program = await startProgram({ ...behindProxy, DATA_DIR: data.folder });
    const server = await openEmbeddedPostgres(data.folder, () => undefined);
    const client = new pg.Client(server.owner);
    await client.connect();
    const three = async () => {
      const tickets = await takeTickets(program.url, 3);
      return Promise.all(tickets.map((ticket) => post(program.url, ticket)));
    };

    await client.query('begin; lock table enquiries in share mode');
    const posts: Post[] = await three();
    await client.query('commit');
    say(`behind a lock: ${posts.map(({ status }) => status).join(', ')}`);
    await client.query(slowTrigger);
    posts.push(...(await three()));
    say(
      `behind a slow trigger: ${posts
        .slice(3)
        .map(({ status }) => status)
        .join(', ')}`,
    );
    // Granted only when every insert still under way has ended.
    await client.query('begin; lock table enquiries in access exclusive mode; commit');

    const stored = await storedMessages(server.connection);
    await client.end();
    await program.end('SIGTERM');
    await server.release();
    data.remove();
    const refused = posts.filter(({ reference }) => reference === null);
    const contradicted = refused.filter(({ marker }) => stored.has(marker)).length;
    return {
      harm: contradicted,
      figures: { 'said to be not sent': refused.length, 'stored all the same': contradicted },
    };
  },
};
