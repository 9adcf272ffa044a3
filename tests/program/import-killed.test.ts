import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { exportContent } from '#app/features/content/export-content.server.ts';
import { readContent } from '#app/features/content/read-content.server.ts';
import { writeContent } from '#app/features/content/write-content.server.ts';
import { runScript, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';

const kills = 8;

test(`kill -9 of program and database, ${kills} times during an import, leaves nothing half-applied`, async () => {
  const data = temporaryFolder();
  const edition = temporaryFolder();
  const read = await readContent('content');
  if (!read.ok) throw new Error('content/ has faults');
  const original = read.content;
  // Another edition of the catalogue, in which every course has changed.
  const changed = {
    ...original,
    courses: original.courses.map((course) => ({ ...course, learners: course.learners + 1 })),
  };
  await writeContent(edition.folder, changed);
  const env = { DATA_DIR: data.folder, TODAY: original.site.asOf };
  fillDataFolder(data.folder);

  const outcomes: string[] = [];
  let before = 'original';
  for (let round = 0; round < kills; round++) {
    const from = before === 'changed' ? 'content' : edition.folder;
    const run = runScript('content.ts', ['import', '--yes', '--from', from], env);
    // The plan is printed inside the transaction; each round then waits a little longer before the kill.
    await until(() => run.output().includes('unchanged') || run.process.exitCode !== null);
    const printedAt = performance.now();
    await until(() => performance.now() >= printedAt + round * 3);
    killDatabase(data.folder);
    await run.end('SIGKILL');
    const after = await stored(data.folder);
    expect(['original', 'changed']).toContain(after);
    outcomes.push(after === before ? 'undone' : 'done');
    before = after;
  }
  // The first kills should come before the commit; if no import was undone, they came too late.
  expect(outcomes).toContain('undone');
  data.remove();
  edition.remove();

  /** The name of the edition that the database holds completely; any mixture of the two is returned as it is. */
  async function stored(folder: string): Promise<string> {
    const server = await openEmbeddedPostgres(folder, () => undefined);
    const db = createDb(server.connection, () => undefined);
    try {
      const content = await exportContent(db);
      for (const [name, edition] of [
        ['original', original],
        ['changed', changed],
      ] as const) {
        try {
          expect(content).toEqual(edition);
          return name;
        } catch {}
      }
      return JSON.stringify(content?.courses.map(({ slug, learners }) => [slug, learners]));
    } finally {
      await db.destroy();
      await server.release();
    }
  }
}, 180_000);

function killDatabase(folder: string): void {
  try {
    const pid = Number(readFileSync(path.join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGKILL');
  } catch {
    // The import had finished and stopped the database itself.
  }
}
