import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { projectRoot } from '#app/env.server.ts';
import { storedMessages } from '#scripts/chaos/visitors.ts';
import { connectionUrl } from '#scripts/support/codegen.ts';
import { freePort, get, runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';

const [awayMs, recoverMs] = [8000, 15_000];

/** Two programs on one database, which the run stops, replaces and imports into. `say` prints each act. */
export async function openScene(say: (line: string) => void) {
  const data = temporaryFolder();
  const content = temporaryFolder();
  cpSync(path.join(projectRoot, 'content'), content.folder, { recursive: true });
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
  const counts = { databaseStops: 0, imports: 0, invisible: 0, replaced: 0, badEnds: 0 };
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
    async importContent() {
      price++;
      const file = path.join(content.folder, 'courses/cissp.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^price: .*$/m, `price: ${price}`));
      const env = { ...addresses, DATA_DIR: data.folder };
      const run = runScript('content.ts', ['import', '--yes', '--theirs', '--from', content.folder], env);
      if ((await run.end()) !== 0) throw new Error(`The import failed: ${run.output()}`);
      counts.imports++;
      const text = `AU$${price.toLocaleString('en-AU')}`;
      const importedAt = performance.now();
      try {
        for (const url of urls()) {
          await until(async () => (await get(`${url}/course/cissp`)).text.includes(text), 10_000);
        }
        say(`content imported, visible on both after ${Math.round(performance.now() - importedAt)} ms`);
      } catch {
        counts.invisible++;
        say('content imported, and not visible after ten seconds');
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
      content.remove();
    },
  };
}
