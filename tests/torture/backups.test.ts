// @module-tag torture
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { key, wallTime } from '#tests/support/backups.ts';
import { startBucket } from '#tests/support/bucket-stand-in.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { times } from '#tests/support/torture.ts';
import { behindProxy, keepDoing, sendMessage, takeForms } from '#tests/support/visitors.ts';

const restores = times(2, 24);
/** What is written is in the backup after this time at the latest (P92). */
const behindMs = 60_000;

// The bucket only in long runs: tests/program/bucket-backups.test.ts restores from one each time.
test.each(['folder', 'bucket'].slice(0, times(1, 2)))(
  `P92: ${restores} restores from a %s under load, each to a random moment, have every message confirmed before it and none sent after it`,
  async (place) => {
    const [data, backups, bucket] = [temporaryFolder(), temporaryFolder(), await startBucket()];
    fillDataFolder(data.folder);
    const where: Record<string, string> =
      place === 'bucket' ? { BACKUP_DIR: '', BACKUP_URL: bucket.url } : { BACKUP_DIR: backups.folder };
    const settings = { ...where, BACKUP_KEY: key };
    const start = () => startProgram({ ...behindProxy, ...settings, DATA_DIR: data.folder });
    const first = await start();
    // A backup's description is written last.
    const files = () => [...bucket.files.keys(), ...readdirSync(backups.folder, { recursive: true })];
    await until(() => files().some((file) => /base\/[\dTZ-]+\.json$/.test(String(file))));
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
      const last = Math.max(...messages.flatMap(({ text, toldAt }) => (stored.has(text) && toldAt) || []));
      const later = newest ? [] : messages.filter(({ sentAt }) => sentAt > moment);
      figures.push(
        `${newest ? 'newest' : `${seconds(startedAt - moment)} s before`}: ${told.length} confirmed, ${stored.size} there, the last ${seconds(startedAt - last)} s before, ${later.length} sent later, restored in ${seconds(Date.now() - startedAt)} s`,
      );
      expect(told.filter(({ text }) => !stored.has(text))).toEqual([]);
      expect(later.filter(({ text }) => stored.has(text))).toEqual([]);
    }
    await load.stop();
    console.log(`${place}\n${figures.join('\n')}`);
    await program.end('SIGTERM');
    for (const { remove } of [data, backups]) remove();
    bucket.close();
  },
);

const seconds = (ms: number) => (ms / 1000).toFixed(1);

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
