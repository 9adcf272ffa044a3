// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { backupsOf, key, wallTime } from '#tests/support/backups.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, keepDoing, sendMessage, takeForms } from '#tests/support/visitors.ts';

let data: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(() => data.remove());

const restores = times(2, 24);
/** What is written is in the backup after this time at the latest (P92). */
const behindMs = 60_000;

test(
  `P92: ${restores} restores under load, each to a random moment, have every message confirmed before it and none sent after it`,
  async () => {
    fillDataFolder(data.folder);
    const backups = temporaryFolder();
    const settings = { BACKUP_DIR: backups.folder, BACKUP_KEY: key };
    const start = () => startProgram({ ...behindProxy, ...settings, DATA_DIR: data.folder });
    const first = await start();
    await until(async () => (await backupsOf(backups.folder)).length > 0, 240_000);
    await first.end('SIGTERM');
    // A start at which no backup is due.
    const program = await start();
    const from = Date.now() + 5_000;
    const messages: { text: string; sentAt: number; toldAt: number | null }[] = [];
    const load = keepDoing(4, async () => {
      const [form] = await takeForms(program.url, 1);
      if (!form) return;
      await sleep(2_100);
      const sentAt = Date.now();
      const { text, isTold } = await sendMessage(program.url, form);
      messages.push({ text, sentAt, toldAt: isTold ? Date.now() : null });
    });
    await sleep(from + behindMs + 15_000 - Date.now());
    const figures: string[] = [];
    for (let restore = 1; restore <= restores; restore++) {
      // The last one is of the newest state, as after the loss of a disk.
      const newest = restore === restores;
      const latest = Date.now() - behindMs;
      const moment = newest ? latest : Math.floor((from + Math.random() * (latest - from)) / 1000) * 1000;
      const startedAt = Date.now();
      const stored = await restoreTo(newest ? null : new Date(moment), settings);
      const told = messages.filter(({ toldAt }) => toldAt !== null && toldAt <= moment);
      const later = newest ? [] : messages.filter(({ sentAt }) => sentAt > moment);
      figures.push(
        `${newest ? 'newest' : `${Math.round((startedAt - moment) / 1000)} s before`}: ${told.length} confirmed, ${stored.size} there, ${later.length} later, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
      );
      expect(told.filter(({ text }) => !stored.has(text))).toEqual([]);
      expect(later.filter(({ text }) => stored.has(text))).toEqual([]);
    }
    await load.stop();
    console.log(figures.join('\n'));
    await program.end('SIGTERM');
    backups.remove();
  },
  30 * 60_000,
);

/** The messages of a database restored by the command into a folder of its own. */
async function restoreTo(to: Date | null, settings: Record<string, string>): Promise<Set<string>> {
  const restored = temporaryFolder();
  try {
    const run = runScript('restore.ts', to ? ['--to', wallTime(to)] : [], { DATA_DIR: restored.folder, ...settings });
    expect([await run.end(), run.output()]).toEqual([0, expect.stringContaining('add up')]);
    const { db, close } = await openDatabase({ dataDir: restored.folder, databaseUrl: undefined }, () => undefined);
    const rows = await db.selectFrom('enquiries').select('message').execute();
    await close();
    return new Set(rows.flatMap(({ message }) => message ?? []));
  } finally {
    restored.remove();
  }
}
