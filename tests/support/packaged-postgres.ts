import { chownSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { prepareHome, runAs } from '#app/db/embedded-home.server.ts';
import { temporaryFolder } from '#scripts/support/program.ts';

/** The programs of the newest PostgreSQL that the system has installed; null without one. */
export const packagedBinaries = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? null;

/** A server of the system's PostgreSQL, on a socket, with a role and an empty database `bowerbird`. */
export async function startPackagedPostgres() {
  const temporary = temporaryFolder();
  const { user } = await prepareHome(temporary.folder);
  const run = async (tool: string, ...args: string[]) => {
    const { status, stderr } = await runAs(user, path.join(packagedBinaries ?? '', tool), args);
    if (status !== 0) throw new Error(`${tool}: ${stderr}`);
  };
  const folderOf = (name: string) => {
    const folder = path.join(temporary.folder, name);
    mkdirSync(folder);
    if (user) chownSync(folder, user.uid, user.gid);
    return folder;
  };
  const start = async (folder: string, own: string) => {
    const data = path.join(folder, 'data');
    const options = `-k ${folder} -c listen_addresses= -c fsync=off ${own}`;
    await run('pg_ctl', 'start', '-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options);
    return {
      /** Where its socket lies. */
      folder,
      socket: path.join(folder, '.s.PGSQL.5432'),
      url: (database = 'bowerbird') => `postgres://bowerbird@localhost/${database}?host=${folder}`,
      /** Every process of it, the first one being the postmaster. */
      processes: () => {
        const postmaster = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
        const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim();
        return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
      },
      promote: () => run('pg_ctl', 'promote', '-D', data, '-w'),
      end: () => run('pg_ctl', 'stop', '-D', data, '-m', 'immediate', '-w'),
    };
  };
  const folder = folderOf('packaged');
  const data = path.join(folder, 'data');
  await run('initdb', '-D', data, '-U', 'bowerbird', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8');
  const primary = await start(folder, '');
  await run('createdb', '-h', folder, '-U', 'bowerbird', 'bowerbird');
  return {
    ...primary,
    user,
    createDatabase: (database: string) => run('createdb', '-h', folder, '-U', 'bowerbird', database),
    /** A standby of it, by streaming replication; from now on a commit waits until the standby has it too. */
    async startStandby() {
      const other = folderOf('standby');
      await run('pg_basebackup', '-h', folder, '-U', 'bowerbird', '-D', path.join(other, 'data'), '-R', '-X', 'stream');
      const standby = await start(other, '-c hot_standby=on');
      const ask = ['-h', folder, '-U', 'bowerbird', '-d', 'bowerbird'];
      await run(
        'psql',
        ...ask,
        '-c',
        `alter system set synchronous_standby_names = '*'`,
        '-c',
        'select pg_reload_conf()',
      );
      return standby;
    },
    async stop() {
      await run('pg_ctl', 'stop', '-D', data, '-m', 'fast', '-w');
      temporary.remove();
    },
    remove: temporary.remove,
  };
}
