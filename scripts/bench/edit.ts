import { createDb } from '#app/db/client.server.ts';
import { freePort, get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { median, type Part } from './figure.ts';
import { day } from './programs.ts';

const rounds = 20;
const slug = 'cissp';

/** From an edit in the database to the page of each of two programs that shows it. */
export const editVisible: Part = {
  name: 'edit',
  async run() {
    const data = temporaryFolder();
    const env = { DATA_DIR: data.folder, TODAY: day, LOG_LEVEL: 'warn', SHED_AFTER: '60000' };
    const programs = [
      await startProgram(env),
      await startProgram({ ...env, BASE_URL: `http://localhost:${await freePort()}` }),
    ];
    const database = await openDatabase({ dataDir: data.folder, databaseUrl: undefined }, () => undefined);
    const db = createDb(database.connection, () => undefined);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const title = `Edited ${round}`;
      await db.updateTable('courses').set({ title }).where('slug', '=', slug).execute();
      const from = performance.now();
      const shows = ({ url }: { url: string }) =>
        until(async () => (await get(`${url}/course/${slug}`)).text.includes(title));
      await Promise.all(programs.map(shows));
      times.push(performance.now() - from);
    }
    await db.destroy();
    await database.close();
    for (const program of programs) await program.end('SIGTERM');
    data.remove();
    return [
      { name: 'edit visible on two processes, median', unit: 'ms', value: median(times) },
      {
        name: 'edit visible on two processes, slowest of 20',
        unit: 'ms',
        value: Math.max(...times),
        goal: { atMost: 1000 },
      },
    ];
  },
};
