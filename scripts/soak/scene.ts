import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDb } from '#app/db/client.server.ts';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { publishRevision } from '#app/features/content/publish.server.ts';
import { currentOf } from '#app/features/content/records.ts';
import { findRecord, listRevisions } from '#app/features/content/revisions.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { storedMessages } from '#scripts/chaos/visitors.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { freePort, get, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';

const [awayMs, recoverMs] = [8000, 15_000];

/** Two programs on one database, which the run stops, replaces and publishes content in. `say` prints each act. */
export async function openScene(say: (line: string) => void) {
  const data = temporaryFolder();
  const server = await openEmbeddedPostgres(data.folder, () => undefined);
  const addresses = {
    DATABASE_URL: connectionUrl(server.connection),
    DATABASE_MIGRATION_URL: connectionUrl(server.owner),
  };
  const metricsPort = await freePort();
  const start = async (port?: number) => {
    const METRICS_PORT = String(port ?? (await freePort()));
    const env = {
      ...addresses,
      DATA_DIR: data.folder,
      LOG_LEVEL: 'error',
      SHED_AFTER: '10000',
      METRICS_PORT,
    };
    // One public origin, as behind a proxy: pages and their ETags are then the same from both.
    return startProgram({
      ...env,
      BASE_URL: 'http://academy.example',
      TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1',
    });
  };
  // The first program runs to the end, and we judge its memory.
  const programs = [await start(metricsPort), await start()];
  say('two programs serve');
  const counts = { databaseStops: 0, published: 0, invisible: 0, replaced: 0, badEnds: 0 };
  let awayUntil = 0;
  let price = 5499;
  const urls = () => programs.map(({ url }) => url);

  return {
    counts,
    urls,
    databaseMayBeAway: () => performance.now() < awayUntil,
    async stopDatabase() {
      awayUntil = Number.POSITIVE_INFINITY;
      const { user, binaries, folder } = await prepareHome(data.folder);
      await runAs(user, binaries.pgCtl, ['stop', '-m', 'fast', '-w', '-D', path.join(folder, 'data')]);
      say('database stopped');
      await sleep(awayMs);
      await server.ensureRunning();
      for (const url of urls()) await until(async () => (await get(`${url}/readyz`)).status === 200);
      awayUntil = performance.now() + recoverMs;
      counts.databaseStops++;
      say('database started, both programs are ready');
    },
    async publishContent() {
      price--;
      const db = createDb(server.connection, () => undefined);
      await db.transaction().execute(async (trx) => {
        const record = await findRecord(trx, 'course', 'cissp');
        const current = record && currentOf(await listRevisions(trx, record));
        if (!record || !current) throw new Error('there is no course cissp');
        const value = { ...current.value, price };
        const wish = { id: record.id, base: current.number, value, author: 'program', note: null } as const;
        const now = new Date();
        const result = await publishRevision(trx, wish, { now, today: academyDay(now) });
        if (!result.ok) throw new Error(`The price was not published: ${JSON.stringify(result)}`);
      });
      await db.destroy();
      counts.published++;
      const text = `AU$${price.toLocaleString('en-AU')}`;
      const publishedAt = performance.now();
      try {
        for (const url of urls()) {
          await until(async () => (await get(`${url}/course/cissp`)).text.includes(text), 10_000);
        }
        say(`content published, visible on both after ${Math.round(performance.now() - publishedAt)} ms`);
      } catch {
        counts.invisible++;
        say('content published, and not visible after ten seconds');
      }
    },
    /** Starts a successor, then ends the second program while visitors still come to it. */
    async replaceOne() {
      const [stays, goes] = programs;
      if (!stays || !goes) throw new Error('two programs should run');
      const successor = await start();
      programs.push(successor);
      const code = await goes.end('SIGTERM');
      programs.splice(programs.indexOf(goes), 1);
      counts.replaced++;
      if (code !== 0) counts.badEnds++;
      say(`a program was replaced; the old one ended with ${code}`);
    },
    /** MB that the first program holds in RAM, and MB of that in its page cache. */
    async memory(): Promise<{ resident: number; cached: number }> {
      const { text } = await get(`http://127.0.0.1:${metricsPort}/metrics`);
      const sum = (name: string) =>
        [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
          (all, [, n]) => all + Number(n),
          0,
        );
      return { resident: sum('process_resident_memory_bytes') / 2 ** 20, cached: sum('page_cache_bytes') / 2 ** 20 };
    },
    /** How many of these messages the database does not hold. */
    async missing(messages: string[]): Promise<number> {
      const stored = await storedMessages(server.connection);
      return messages.filter((message) => !stored.has(message)).length;
    },
    async close() {
      for (const program of programs) if ((await program.end('SIGTERM')) !== 0) counts.badEnds++;
      await server.release();
      data.remove();
    },
  };
}
