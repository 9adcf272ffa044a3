// @module-tag torture
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDb } from '#app/db/client.server.ts';
import { runScript, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { openDatabase } from '#server/database.ts';
import { backupsOf, wallTime } from '#tests/support/backups.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { blocks, docker, standIn, type } from '#tests/support/operating-page.ts';
import { packagedBinaries, startPackagedPostgres } from '#tests/support/packaged-postgres.ts';
import { behindProxy, confirmed, sendMessage, takeForms } from '#tests/support/visitors.ts';

/** The program makes a backup of its own when it starts, and only one is made at a time. */
async function typeBackUp(env: Record<string, string>): Promise<string> {
  let said = '';
  await until(async () => {
    said = await type(backUp, env);
    return !said.includes('Another program is making');
  });
  return said;
}

const [makeKey = '', backUp = '', restore = '', compose = ''] = blocks.Backups ?? [];

test('docs/operating.md: a key is made, a backup, and the academy restored to a minute', async () => {
  const [data, backups] = [temporaryFolder(), temporaryFolder()];
  fillDataFolder(data.folder);
  const key = (await type(makeKey, {})).trim();
  const env = { DATA_DIR: data.folder, BACKUP_DIR: backups.folder, BACKUP_KEY: key };
  const program = await startProgram({ ...behindProxy, ...env });
  expect(program.output()).toContain(`Backups: ${backups.folder}`);
  const [form, later] = await takeForms(program.url, 2);
  const before = form && (await sendMessage(program.url, form));
  expect(await typeBackUp(env)).toMatch(/Backup [\dTZ-]+ in .*: [\d.]+ MB in [\d.]+ s/);
  expect((await backupsOf(backups.folder)).length).toBeGreaterThan(0);
  await sleep(1000);
  const moment = wallTime(new Date());
  await sleep(1000);
  const after = later && (await sendMessage(program.url, later));
  // What was written since the last minute leaves the computer when the next backup is made.
  await typeBackUp(env);
  await program.end('SIGTERM');

  const said = await type(restore.replace('2026-11-22 09:14', moment), env);
  expect(said).toMatch(/Restored the database as of .*Mail is held.*no payment by card can be missing/s);
  const messages = [before, after].flatMap((message) => message ?? []);
  expect(messages.map(({ isTold }) => isTold)).toEqual([true, true]);
  expect((await confirmed(data.folder, messages)).lost).toEqual([after]);
  const again = await startProgram({ ...behindProxy, ...env });
  expect(await again.end('SIGTERM')).toBe(0);
  data.remove();
  backups.remove();
});

test.runIf(packagedBinaries)('docs/operating.md: with compose.yaml a dump is made and restored', async () => {
  const [postgres, data] = [await startPackagedPostgres(), temporaryFolder()];
  const settings = { dataDir: data.folder, databaseUrl: postgres.url() };
  await (await openDatabase(settings, () => undefined)).close();
  standIn(data.folder, 'docker', docker);
  const env = {
    ...{ PATH: `${data.folder}:${packagedBinaries}`, PGHOST: postgres.folder, DATA_DIR: data.folder },
    DATABASE_URL: postgres.url(),
  };
  // The check ends with 1, because no number was ever kept here.
  const commands = compose.replaceAll('bowerbird.dump', path.join(data.folder, 'bowerbird.dump'));
  expect(await type(commands.replace('restore-check.ts', 'restore-check.ts || true'), env)).toContain('Mail is held');
  await postgres.stop();
  data.remove();
});

test.runIf(packagedBinaries)(
  'with DATABASE_URL the commands make a dump and restore it into an empty database',
  async () => {
    const [postgres, data] = [await startPackagedPostgres(), temporaryFolder()];
    const database = await openDatabase({ dataDir: data.folder, databaseUrl: postgres.url() }, () => undefined);
    await database.db.insertInto('mail_suppressions').values({ address_hash: 'x', since: new Date() }).execute();
    await database.close();
    const env = { DATA_DIR: data.folder, BACKUP_DIR: path.join(data.folder, 'backups'), DATABASE_URL: postgres.url() };
    expect(await type(backUp, env)).toMatch(/\.dump\.zst: [\d.]+ MB/);
    const refused = runScript('restore.ts', [], env);
    expect([await refused.end(), refused.output()]).toEqual([1, expect.stringMatching(/has tables.*nothing in it/)]);

    await postgres.createDatabase('restored');
    const restored = runScript('restore.ts', [], { ...env, DATABASE_URL: postgres.url('restored') });
    expect([await restored.end(), restored.output()]).toEqual([0, expect.stringContaining('Restored the dump of')]);
    const db = createDb({ connectionString: postgres.url('restored') }, () => undefined);
    expect(await db.selectFrom('mail_suppressions').select('address_hash').execute()).toEqual([{ address_hash: 'x' }]);
    await db.destroy();
    await postgres.stop();
    data.remove();
  },
);
