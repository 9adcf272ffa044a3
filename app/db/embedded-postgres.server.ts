import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedHome, prepareHome, runAs } from './embedded-home.server.ts';
import { withStartLock } from './start-lock.server.ts';

export type EmbeddedPostgres = {
  connection: { host: string; user: string; password: string; database: string };
  /** Where its data lies, for people. */
  folder: string;
  /** 'found' when it already ran: another program's, or left over by a killed one. */
  outcome: 'initialised' | 'started' | 'found';
  /** Starts it again should it have died; cheap while it lives. */
  ensureRunning(): Promise<void>;
  /** Leaves it, and stops it when no other program uses it. */
  release(): Promise<void>;
};

const name = 'bowerbird';
// Any constant of ours: every program using the server holds this advisory lock shared.
const usersLock = 0xb0b1;
// The longest socket path Linux takes is 107 bytes, of which PostgreSQL's own file name needs 18.
const longestSocketFolder = 88;

/**
 * Starts the program's own PostgreSQL 18 in `dataDir`, or joins the one already running there.
 * It listens on a Unix socket only, in a folder no other user can enter, and asks for a generated password.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  progress: (line: string) => void,
): Promise<EmbeddedPostgres> {
  const home = await prepareHome(dataDir);
  const server = new Server(home);
  let outcome = await server.ensureRunning(progress);
  let presence: pg.Client | null = null;
  for (let attempt = 0; !presence; attempt++) {
    presence = await server.join();
    // It was found while its last user was stopping it.
    if (!presence && attempt > 5) throw new Error(`The database under ${home.folder} does not accept connections.`);
    if (!presence) outcome = await server.ensureRunning(progress);
  }
  let held: pg.Client | null = presence;
  held.on('error', () => {
    held = null;
  });

  return {
    connection: server.connection(name),
    folder: home.folder,
    outcome,
    async ensureRunning() {
      if (held && (await server.runs())) return;
      await server.ensureRunning(progress);
      held = await server.join();
      held?.on('error', () => {
        held = null;
      });
    },
    async release() {
      const alone = held ? await server.leave(held) : false;
      held = null;
      if (alone) await server.stop();
    },
  };
}

class Server {
  private readonly home: EmbeddedHome;
  private readonly data: string;
  private readonly socket: string;

  constructor(home: EmbeddedHome) {
    this.home = home;
    this.data = path.join(home.folder, 'data');
    this.socket = path.join(home.folder, 'socket');
    if (Buffer.byteLength(this.socket) > longestSocketFolder) {
      throw new Error(`The path ${home.folder} is too long for a database socket; choose a shorter DATA_DIR.`);
    }
  }

  connection(database: string) {
    const password = readFileSync(path.join(this.home.folder, 'password'), 'utf8').trim();
    return { host: this.socket, user: name, password, database };
  }

  /** True when the process named in postmaster.pid lives and serves this very folder. */
  async runs(): Promise<boolean> {
    let pid: number;
    try {
      pid = Number(readFileSync(path.join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return false;
    }
    if (process.platform !== 'linux') return (await this.control(['status'])).status === 0;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(this.data);
    } catch {
      return false;
    }
  }

  async ensureRunning(progress: (line: string) => void): Promise<EmbeddedPostgres['outcome']> {
    if (await this.runs()) return 'found';
    return withStartLock(path.join(this.home.folder, 'start.lock'), async () => {
      if (await this.runs()) return 'found';
      const fresh = !existsSync(this.data);
      if (fresh) {
        progress('Setting up a database of its own (PostgreSQL 18)');
        await this.initialise();
      }
      await this.start();
      await this.createDatabase();
      return fresh ? 'initialised' : 'started';
    });
  }

  /** Makes the cluster beside its place and moves it in when whole, so that a kill half-way leaves nothing behind. */
  private async initialise(): Promise<void> {
    const { folder } = this.home;
    const draft = path.join(folder, 'data.new');
    rmSync(draft, { recursive: true, force: true });
    const passwordFile = path.join(folder, 'password');
    if (!existsSync(passwordFile)) {
      const draftPassword = `${passwordFile}.new`;
      writeFileSync(draftPassword, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
      this.own(draftPassword);
      renameSync(draftPassword, passwordFile);
    }
    const result = await runAs(this.home.user, this.home.binaries.initdb, [
      ...['-D', draft, '-U', name, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'],
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ]);
    if (result.status !== 0) throw new Error(`initdb failed: ${result.stderr}`);
    appendFileSync(path.join(draft, 'postgresql.conf'), "\ninclude 'bowerbird.conf'\n");
    renameSync(draft, this.data);
  }

  private async start(): Promise<void> {
    mkdirSync(this.socket, { recursive: true, mode: 0o700 });
    this.own(this.socket);
    chmodSync(this.socket, 0o700);
    const settings = path.join(this.data, 'bowerbird.conf');
    // Written at each start: the folder may have been moved.
    writeFileSync(
      settings,
      [
        "listen_addresses = ''",
        `unix_socket_directories = '"${this.socket.replaceAll("'", "''")}"'`,
        "log_timezone = 'UTC'",
        "timezone = 'UTC'",
        '',
      ].join('\n'),
      { mode: 0o600 },
    );
    this.own(settings);
    // runs() has shown that nobody serves this folder. What a killed server left must not keep us out, though its pid
    // may be taken by a stranger, or by its own remains where no init process collects them (a container).
    rmSync(path.join(this.data, 'postmaster.pid'), { force: true });
    rmSync(path.join(this.socket, '.s.PGSQL.5432.lock'), { force: true });
    const log = path.join(this.home.folder, 'server.log');
    const result = await this.control(['start', '-l', log, '-w', '-t', '60']);
    if (result.status !== 0) {
      const tail = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-6).join('\n') : '';
      throw new Error(`PostgreSQL did not start: ${result.stdout}${result.stderr}\n${tail}`);
    }
  }

  private async createDatabase(): Promise<void> {
    const client = await this.connect('postgres');
    if (!client) throw new Error('The database started but does not accept connections.');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
    await client.end();
  }

  /** A connection, beside the program's own database, whose shared lock says "in use"; null when it is going down. */
  async join(): Promise<pg.Client | null> {
    const client = await this.connect('postgres');
    await client?.query('select pg_advisory_lock_shared($1)', [usersLock]);
    return client;
  }

  /** Gives up our share; true when nobody else holds one. */
  async leave(client: pg.Client): Promise<boolean> {
    try {
      await client.query('select pg_advisory_unlock_shared($1)', [usersLock]);
      const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [usersLock]);
      return rows[0]?.alone === true;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    const result = await this.control(['stop', '-m', 'fast', '-w', '-t', '60']);
    if (result.status !== 0 && (await this.runs())) throw new Error(`PostgreSQL did not stop: ${result.stderr}`);
  }

  private async connect(database: string): Promise<pg.Client | null> {
    for (let attempt = 0; attempt < 300; attempt++) {
      const client = new pg.Client({ ...this.connection(database), application_name: 'bowerbird presence' });
      try {
        await client.connect();
        return client;
      } catch (error) {
        await client.end().catch(() => undefined);
        if (!isPassing(error)) throw error;
        if (!(await this.runs())) return null;
        await sleep(100);
      }
    }
    return null;
  }

  private control(args: string[]) {
    return runAs(this.home.user, this.home.binaries.pgCtl, [...args, '-D', this.data]);
  }

  private own(file: string): void {
    if (this.home.user) chownSync(file, this.home.user.uid, this.home.user.gid);
  }
}

/** Starting up, recovering, shutting down, or the socket not there yet. */
function isPassing(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return ['57P03', '57P01', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code);
}
