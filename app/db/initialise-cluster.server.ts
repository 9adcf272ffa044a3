import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EmbeddedHome } from './embedded-home.server.ts';
import type { ServerLock } from './server-lock.server.ts';

/** Creates the cluster in a draft folder and moves it into place when complete, in case it is killed half-way. */
export async function initialiseCluster(
  home: EmbeddedHome,
  lock: ServerLock,
  { data, owner }: { data: string; owner: string },
): Promise<void> {
  const { folder } = home;
  const draft = path.join(folder, 'data.new');
  rmSync(draft, { recursive: true, force: true });
  const passwordFile = writePassword(home);
  const result = await lock.run(home.binaries.initdb, [
    '-D',
    draft,
    '-U',
    owner,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // In megabytes. One is handed over each half minute, however little was written to it.
    '--wal-segsize=1',
  ]);
  if (result.status !== 0) throw new Error(`initdb failed: ${faultsIn(result.stderr)}`);
  appendFileSync(path.join(draft, 'postgresql.conf'), "\ninclude 'bowerbird.conf'\n");
  renameSync(draft, data);
}

/** Makes the password of the cluster in a folder, unless there is one, and returns its file. */
export function writePassword(home: EmbeddedHome): string {
  const file = path.join(home.folder, 'password');
  if (existsSync(file)) return file;
  const draft = `${file}.new`;
  writeFileSync(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  ownByServer(home, draft);
  renameSync(draft, file);
  return file;
}

/** Gives a file to the user as whom the server runs. */
export function ownByServer({ user }: EmbeddedHome, file: string): void {
  if (user) chownSync(file, user.uid, user.gid);
}

/** The error lines in the output of a PostgreSQL program, on one line; all of the output when it marks no errors. */
export function faultsIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const faults = lines.filter((line) => /\b(error|FATAL|PANIC|HINT):/.test(line));
  return (faults.length > 0 ? faults : lines).map((line) => line.trim()).join('; ');
}
