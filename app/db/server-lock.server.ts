import { type EmbeddedHome, type Ended, runAs } from './embedded-home.server.ts';

// Any status that flock and what it runs do not use themselves.
const heldStatus = 75;
const options = ['--nonblock', '--conflict-exit-code', String(heldStatus)];

/**
 * The lock that the database server holds on a file of its folder. It is taken by `flock`, and the server's processes
 * inherit the open file: the kernel keeps the lock as long as any of them lives, a postmaster or what a killed one left
 * behind, and shows it in every PID and IPC namespace. (The file system must be local: NFS does not pass locks on.)
 */
export class ServerLock {
  private readonly file: string;
  private readonly user: EmbeddedHome['user'];

  constructor(file: string, user: EmbeddedHome['user']) {
    this.file = file;
    this.user = user;
  }

  /** Runs a command whose processes hold the lock while they live; fails at once when it is held. */
  run(command: string, args: string[]): Promise<Ended> {
    return runAs(this.user, 'flock', [...options, this.file, command, ...args]);
  }

  /** Whether any process of a server lives. Throws when that cannot be told. */
  async isHeld(): Promise<boolean> {
    const { status, stderr } = await runAs(this.user, 'flock', ['--shared', ...options, this.file, 'true']);
    if (status !== 0 && status !== heldStatus) throw new Error(`Could not look at the lock ${this.file}: ${stderr}`);
    return status === heldStatus;
  }
}
