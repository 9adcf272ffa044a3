import { chownSync, globSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';

/** The programs of the newest PostgreSQL that the system has installed; null without one. */
export const packagedBinaries = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? null;

/** A server of the system's PostgreSQL, on a socket, with a role and an empty database `bowerbird`. */
export async function startPackagedPostgres() {
  const temporary = temporaryFolder();
  const { user } = await prepareHome(temporary.folder);
  const folder = path.join(temporary.folder, 'packaged');
  mkdirSync(folder);
  if (user) chownSync(folder, user.uid, user.gid);
  const run = async (tool: string, ...args: string[]) => {
    const { status, stderr } = await runAs(user, path.join(packagedBinaries ?? '', tool), args);
    if (status !== 0) throw new Error(`${tool}: ${stderr}`);
  };
  const data = path.join(folder, 'data');
  await run('initdb', '-D', data, '-U', 'bowerbird', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8');
  const options = `-k ${folder} -c listen_addresses= -c fsync=off`;
  await run('pg_ctl', 'start', '-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options);
  await run('createdb', '-h', folder, '-U', 'bowerbird', 'bowerbird');
  return {
    /** Where its socket lies. */
    folder,
    url: (database = 'bowerbird') => `postgres://bowerbird@localhost/${database}?host=${folder}`,
    createDatabase: (database: string) => run('createdb', '-h', folder, '-U', 'bowerbird', database),
    async stop() {
      await run('pg_ctl', 'stop', '-D', data, '-m', 'fast', '-w');
      temporary.remove();
    },
  };
}
