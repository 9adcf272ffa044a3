import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EmbeddedCluster } from '#app/db/embedded-cluster.server.ts';
import type { EmbeddedHome } from '#app/db/embedded-home.server.ts';
import { ownByServer, writePassword } from '#app/db/initialise-cluster.server.ts';
import type { ClusterBackups } from './cluster-backups.server.ts';
import { planRestore, type RestorePlan } from './plan.ts';
import { BackupFault } from './store.server.ts';

export type Restored = {
  cluster: EmbeddedCluster;
  plan: RestorePlan;
  /** The time of the last transaction that was replayed. */
  reached: Date | null;
};

const patienceMs = 60_000;

/**
 * Restores a backup to a moment, or the newest, into a folder of its own, with a server that runs on a socket there
 * and takes anybody who can enter the folder. `archive` is where that server hands over its log; null for a copy that
 * is thrown away. Throws a `BackupFault` when the moment cannot be had; nothing is left of the folder then.
 */
export async function restoreBeside(
  home: EmbeddedHome,
  {
    folder,
    backups,
    to,
    archive,
  }: { folder: string; backups: ClusterBackups; to: Date | null; archive: string | null },
): Promise<Restored> {
  const found = planRestore(await backups.bases(), await backups.logFiles(), to);
  if (!found.ok) throw new BackupFault(found.message);
  const { plan } = found;
  await removeRestored(home, folder);
  const beside = { ...home, folder };
  try {
    await mkdir(folder, { mode: 0o700 });
    ownByServer(home, folder);
    await unpackBase(beside, backups, plan);
    await unpackLog(beside, backups, plan);
    writePassword(beside);
    const cluster = new EmbeddedCluster(beside, patienceMs, archive);
    await recover(cluster, path.join(folder, 'log'), plan);
    return { cluster, plan, reached: await cluster.lastReplayed() };
  } catch (error) {
    await removeRestored(home, folder);
    throw error;
  }
}

/** Stops the server of a restored folder, and removes it. */
export async function removeRestored(home: EmbeddedHome, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  await new EmbeddedCluster({ ...home, folder }, patienceMs, null).stop();
  await rm(folder, { recursive: true, force: true });
}

/** Puts a restored cluster into the place of the program's own, which has none yet. */
export async function putInPlace(home: EmbeddedHome, folder: string, { cluster }: Restored): Promise<void> {
  await cluster.setOwnPassword();
  await cluster.stop();
  await rename(path.join(folder, 'password'), path.join(home.folder, 'password'));
  await rename(path.join(folder, 'data'), path.join(home.folder, 'data'));
  await rm(folder, { recursive: true, force: true });
}

async function unpackBase(home: EmbeddedHome, backups: ClusterBackups, { base }: RestorePlan): Promise<void> {
  const data = path.join(home.folder, 'data');
  await mkdir(data, { mode: 0o700 });
  ownByServer(home, data);
  const tar = spawn('tar', ['--extract', '--file=-', `--directory=${data}`], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
    ...(home.user ?? {}),
  });
  let said = '';
  tar.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(tar, 'close');
  // When tar ends early its own words say why.
  const piped = await pipeline(await backups.readBase(base), tar.stdin).catch((error: Error) => error);
  const [code] = await ended;
  if (piped instanceof BackupFault) throw piped;
  if (code !== 0 || piped) throw new BackupFault(`The backup could not be unpacked: ${said.trim() || piped}`);
}

async function unpackLog(home: EmbeddedHome, backups: ClusterBackups, { log }: RestorePlan): Promise<void> {
  const folder = path.join(home.folder, 'log');
  await mkdir(folder, { mode: 0o700 });
  ownByServer(home, folder);
  for (const { name } of log) {
    const file = path.join(folder, name);
    await pipeline(await backups.readLog(name), createWriteStream(file, { mode: 0o600 }));
    ownByServer(home, file);
  }
}

async function recover(cluster: EmbeddedCluster, log: string, plan: RestorePlan): Promise<void> {
  const target = plan.until instanceof Date ? { time: plan.until } : plan.until;
  try {
    await cluster.recover({ log, target, timeline: plan.timeline });
  } catch (error) {
    if (!(plan.until instanceof Date) || !String(error).includes('before configured recovery target was reached'))
      throw error;
    if (plan.hasGap)
      throw new BackupFault('A part of the log is missing, so that moment cannot be had. Choose an earlier one.');
    // Nothing was written after the moment.
    await cluster.recover({ log, target: 'newest', timeline: plan.timeline });
  }
}
