import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeFolder } from './data-folder.server.ts';
import { type EmbeddedHome, runAs } from './embedded-home.server.ts';
import { faultsIn, initialiseCluster, ownByServer } from './initialise-cluster.server.ts';
import { lockNumbers } from './lock-numbers.ts';
import { ServerLock } from './server-lock.server.ts';

type User = EmbeddedHome['user'];

/** The pid of the postmaster that serves `data`; null when none can be found in our own PID namespace. */
async function findPostmaster(data: string, user: User): Promise<number | null> {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return (await isPostmasterOf(data, user, pid)) ? pid : null;
}

/**
 * Whether a pid is that of the postmaster, whose working directory is `data`, and not of an unrelated process or of
 * another namespace. Runs as the server's user, because root in a container may not inspect other users' processes.
 */
async function isPostmasterOf(data: string, user: User, pid: number): Promise<boolean> {
  const [command = ''] = commandLine(pid).split('\0');
  if (path.basename(command) !== 'postgres') return false;
  const args = ['--dereference', '--format=%d:%i', `/proc/${pid}/cwd`, data];
  const { status, stdout } = await runAs(user, 'stat', args);
  const [cwd, folder] = stdout.split('\n');
  return status === 0 && cwd === folder;
}

/** Empty when no process has the pid. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const patienceSeconds = 120;

/**
 * Runs `work` while holding an exclusive lock on a file, so that two programs do not initialise or start one server
 * at once. A child process that waits on our pipe holds the lock: the kernel frees it however this process ends. Throws
 * when another program holds it for more than two minutes.
 */
async function withStartLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const holder = spawn('flock', ['--timeout', String(patienceSeconds), file, 'sh', '-c', 'echo locked; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A separate process group: a signal to ours must not free the lock while we work.
    detached: true,
  });
  const locked = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    once(holder, 'exit').then(() => false),
  ]);
  if (!locked) throw new Error(`Another program has been starting a database for two minutes (it holds ${file}).`);
  try {
    return await work();
  } finally {
    const ended = once(holder, 'exit');
    holder.stdin.end();
    await ended;
  }
}

const name = 'bowerbird';
/** The role of the program. Another role, named like the database, owns the tables. */
const programRole = 'bowerbird_program';
// The longest socket path Linux takes is 107 bytes, of which PostgreSQL's own file name needs 18.
const longestSocketFolder = 88;
const pollMs = 200;
const stopMs = 60_000;
// Crash recovery replays the log since the last checkpoint, which can be gigabytes.
const startSeconds = 600;
const connectMs = 5_000;
const noticeAfterMs = 3_000;

/** State of the server's socket. `passing`: starting, recovering or stopping. `hanging`: it listens, but no answer. */
type Answer = 'accepting' | 'passing' | 'hanging' | 'absent';

type Recovery = {
  /** The folder of the log. */
  log: string;
  /** The end of the log, the end of the base, or a moment. */
  target: 'newest' | 'base' | { time: Date };
  timeline: number | 'current' | 'latest';
};

/** A text in a file of settings. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The PostgreSQL cluster of a folder: initialises it, runs one server for any number of programs, connects, stops. */
export class EmbeddedCluster {
  private readonly home: EmbeddedHome;
  private readonly data: string;
  private readonly socket: string;
  private readonly lock: ServerLock;
  private readonly patienceMs: number;
  private readonly archive: string | null;

  /**
   * `patienceMs`: how long to wait for a server that can neither be reached nor shown to have ended. `archive`: the
   * folder in which a server that is started hands over its log; null when it does not.
   */
  constructor(home: EmbeddedHome, patienceMs: number, archive: string | null) {
    this.archive = archive;
    this.home = home;
    this.data = path.join(home.folder, 'data');
    this.socket = path.join(home.folder, 'socket');
    this.lock = new ServerLock(path.join(home.folder, 'server.lock'), home.user);
    this.patienceMs = patienceMs;
    if (Buffer.byteLength(this.socket) > longestSocketFolder) {
      throw new Error(`The path ${home.folder} is too long for a database socket; choose a shorter DATA_DIR.`);
    }
  }

  /** As the owner, for migrations. */
  ownerConnection(database: string = name) {
    return { host: this.socket, user: name, password: this.password(), database };
  }

  /** As the program's role, which `makeProgramRole` makes. */
  programConnection() {
    return { host: this.socket, user: programRole, password: this.programPassword(), database: name };
  }

  /** The password of the program's role. It is derived from the owner's, so that only that one has to be kept. */
  private programPassword(): string {
    return createHmac('sha256', this.password()).update(programRole).digest('base64url');
  }

  private password(): string {
    const file = path.join(this.home.folder, 'password');
    if (!existsSync(file)) throw new Error(`The password of the database is missing: put back ${file}.`);
    return readFileSync(file, 'utf8').trim();
  }

  /** Joins the server that serves this folder. Starts one if no process of an earlier server runs any more. */
  async ensureRunning(progress: (line: string) => void): Promise<void> {
    if (existsSync(this.data) && (await this.answer()) === 'accepting') return;
    await withStartLock(path.join(this.home.folder, 'start.lock'), async () => {
      if (await this.isServed(progress)) return;
      if (!existsSync(this.data)) {
        progress('Setting up a database of its own (PostgreSQL 18)');
        await initialiseCluster(this.home, this.lock, { data: this.data, owner: name });
      }
      await this.start();
      try {
        await this.createDatabase();
      } catch (error) {
        await this.stop();
        throw error;
      }
    });
  }

  /** Waits until a server accepts connections (true) or no server process is left (false). Throws on a timeout. */
  private async isServed(progress: (line: string) => void): Promise<boolean> {
    const startedAt = performance.now();
    let deadline = startedAt + this.patienceMs;
    let noticed = false;
    for (;;) {
      const answer = existsSync(this.data) ? await this.answer() : 'absent';
      if (answer === 'accepting') return true;
      // A server started by a version without the lock is recognised by its process or its socket.
      if (
        answer === 'absent' &&
        !(await this.lock.isHeld()) &&
        (await findPostmaster(this.data, this.home.user)) === null
      )
        return false;
      const now = performance.now();
      if (answer === 'passing') deadline = now + this.patienceMs;
      if (now > deadline) {
        throw new Error(
          `Another database serves ${this.home.folder}, but cannot be reached from here. Stop the program it belongs to, or choose another DATA_DIR. No second one was started.`,
        );
      }
      if (!noticed && now > startedAt + noticeAfterMs) {
        progress('Waiting for the database of another program to answer or to end');
        noticed = true;
      }
      await sleep(pollMs);
    }
  }

  /**
   * Starts the server on restored files: it replays the log in a folder up to `target`, then begins a timeline of its
   * own. Returns when it has. Anybody who can enter the cluster's folder may connect.
   */
  async recover({ log, target, timeline }: Recovery): Promise<void> {
    const trust = path.join(this.home.folder, 'restore_hba.conf');
    writeFileSync(trust, 'local all all trust\n', { mode: 0o600 });
    const signal = path.join(this.data, 'recovery.signal');
    writeFileSync(signal, '', { mode: 0o600 });
    for (const file of [trust, signal]) ownByServer(this.home, file);
    await this.start([
      `hba_file = ${quoted(trust)}`,
      // Nobody is let in before the end.
      'hot_standby = off',
      `restore_command = ${quoted(`cp "${log.replaceAll('%', '%%')}/%f" "%p"`)}`,
      `recovery_target_timeline = '${timeline}'`,
      `recovery_target_action = 'promote'`,
      ...(target === 'base' ? [`recovery_target = 'immediate'`] : []),
      // The settings are read before names of zones such as Z are known.
      ...(typeof target === 'string'
        ? []
        : [`recovery_target_time = '${target.time.toISOString().replace('Z', '+00')}'`]),
    ]);
    for (let answer = await this.answer(); answer !== 'accepting'; answer = await this.answer()) {
      if (answer === 'absent') throw new Error(`PostgreSQL did not recover: ${this.lastSaid(0)}`);
      await sleep(pollMs);
    }
  }

  /** Of a restored cluster: the time of the last transaction that was replayed. */
  async lastReplayed(): Promise<Date | null> {
    const { rows } = await this.ask('select pg_last_xact_replay_timestamp() as at');
    return rows[0]?.at ?? null;
  }

  /** Gives the owner of a restored cluster the password of its folder. */
  async setOwnPassword(): Promise<void> {
    await this.ask(`alter role ${name} password '${this.password()}'`);
  }

  private async ask(text: string): Promise<pg.QueryResult> {
    const client = await this.connect('postgres');
    if (typeof client === 'string') throw new Error('The database started but does not accept connections.');
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  private async start(more: readonly string[] = []): Promise<void> {
    const [owner, server] = [statSync(this.data).uid, this.home.user?.uid ?? process.getuid?.()];
    if (owner !== server) {
      throw new Error(
        `The files in ${this.data} belong to the user with number ${owner}, and the database runs as ${server}. Nothing was changed. Give them to it: chown -R ${server} ${realpathSync(this.home.folder)}`,
      );
    }
    makeFolder(this.socket, 0o700);
    ownByServer(this.home, this.socket);
    chmodSync(this.socket, 0o700);
    const settings = path.join(this.data, 'bowerbird.conf');
    // Written at each start: the folder may have been moved.
    writeFileSync(
      settings,
      [
        "listen_addresses = ''",
        `unix_socket_directories = ${quoted(`"${this.socket}"`)}`,
        "log_timezone = 'UTC'",
        "timezone = 'UTC'",
        // An index is found on a disk without moving parts; PostgreSQL reckons with one that turns.
        'random_page_cost = 1.1',
        ...this.archiving(),
        ...more,
        '',
      ].join('\n'),
      { mode: 0o600 },
    );
    ownByServer(this.home, settings);
    // No server process is left. The lock files of a killed server must not prevent the start: their pid may belong to
    // an unrelated process by now, or to a zombie where no init process reaps it (in a container).
    rmSync(path.join(this.data, 'postmaster.pid'), { force: true });
    rmSync(path.join(this.socket, '.s.PGSQL.5432.lock'), { force: true });
    const log = path.join(this.home.folder, 'server.log');
    const before = existsSync(log) ? statSync(log).size : 0;
    const args = ['start', '-D', this.data, '-l', log, '-w', '-t', String(startSeconds)];
    const result = await this.lock.run(this.home.binaries.pgCtl, args);
    if (result.status !== 0) {
      // What was logged before is about other starts.
      throw new Error(`PostgreSQL did not start: ${this.lastSaid(before) || faultsIn(result.stderr)} (see ${log})`);
    }
  }

  /** What went wrong, by the end of the server's log; `from` is a number of bytes. */
  private lastSaid(from: number): string {
    const log = path.join(this.home.folder, 'server.log');
    const said = existsSync(log) ? readFileSync(log).subarray(from).toString() : '';
    return faultsIn(said.split('\n').slice(-8).join('\n'));
  }

  private archiving(): string[] {
    if (!this.archive) return [];
    makeFolder(this.archive, 0o700);
    ownByServer(this.home, this.archive);
    return [
      'archive_mode = on',
      "archive_library = 'basic_archive'",
      `basic_archive.archive_directory = ${quoted(this.archive)}`,
    ];
  }

  private async createDatabase(): Promise<void> {
    const client = await this.connect('postgres');
    if (typeof client === 'string') throw new Error('The database started but does not accept connections.');
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
      if (rowCount === 0) await client.query(`create database ${name}`);
    } finally {
      await client.end();
    }
  }

  /**
   * Makes the program's role where an older version made the folder, and sets its password, on the owner's connection.
   */
  async makeProgramRole(owner: pg.Client): Promise<void> {
    await owner.query(`do $$ begin
      perform pg_advisory_xact_lock(${lockNumbers.programRole});
      if not exists (select from pg_roles where rolname = '${programRole}') then create role ${programRole}; end if;
      alter role ${programRole} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
        password '${this.programPassword()}';
    end $$`);
  }

  /**
   * Stops the server and closes its connections. Returns false for a server in another PID namespace, which cannot be
   * signalled from here and keeps running until its namespace ends or the last program inside that namespace stops it.
   */
  async stop(): Promise<boolean> {
    const pid = await findPostmaster(this.data, this.home.user);
    if (pid === null) return false;
    // A fast shutdown, as with pg_ctl. pg_ctl itself would signal the pid without checking whose it is.
    process.kill(pid, 'SIGINT');
    const deadline = performance.now() + stopMs;
    while ((await isPostmasterOf(this.data, this.home.user, pid)) || (await this.lock.isHeld())) {
      if (performance.now() > deadline) throw new Error('The database was told to stop, and has not after a minute.');
      await sleep(pollMs / 4);
    }
    return true;
  }

  /**
   * A connection of the owner, or the state of a server that does not accept one. Throws on an error such as a wrong
   * password.
   */
  async connect(database: string): Promise<pg.Client | Exclude<Answer, 'accepting'>> {
    const client = new pg.Client({
      ...this.ownerConnection(database),
      application_name: 'bowerbird presence',
      connectionTimeoutMillis: connectMs,
    });
    // The caller notices a lost connection on its next query; without a handler the error would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      const { code = '' } = error as { code?: string };
      if (['ENOENT', 'ECONNREFUSED'].includes(code)) return 'absent';
      if (isPassing(error)) return 'passing';
      // A timeout or a full accept queue: not an error reported by PostgreSQL.
      if (!(error instanceof pg.DatabaseError)) return 'hanging';
      if (code !== '28P01') throw error;
      const file = path.join(this.home.folder, 'password');
      throw new Error(
        `The database under ${this.home.folder} refuses the password in ${file}: put the right one back.`,
      );
    }
  }

  private async answer(): Promise<Answer> {
    const client = await this.connect('postgres');
    if (typeof client === 'string') return client;
    await client.end();
    return 'accepting';
  }
}

/** The server is starting up, recovering or shutting down. */
export function isPassing(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return ['57P01', '57P02', '57P03', 'ECONNRESET', 'EPIPE'].includes(code);
}
