import { type EmbeddedHome, type Ended, runAs } from './embedded-home.server.ts';

// An exit code that neither flock nor the commands it runs use.
const heldStatus = 75;
const options = ['--nonblock', '--conflict-exit-code', String(heldStatus)];

/**
 * The lock that the database server holds on a file of its folder. It is taken by `flock`, and the server's processes
 * inherit the open file: the kernel keeps the lock as long as any of them runs, even after the postmaster was killed,
 * and it is visible in every PID and IPC namespace. (The file system must be local: NFS does not pass locks on.)
 */
export class ServerLock {
  private readonly file: string;
  private readonly user: EmbeddedHome['user'];

  constructor(file: string, user: EmbeddedHome['user']) {
    this.file = file;
    this.user = user;
  }

  /** Runs a command whose processes hold the lock while they run; fails at once when it is already held. */
  run(command: string, args: string[]): Promise<Ended> {
    return runAs(this.user, 'flock', [...options, this.file, command, ...args]);
  }

  /** Whether any process of a server is running. Throws when the lock cannot be checked. */
  async isHeld(): Promise<boolean> {
    const { status, stderr } = await runAs(this.user, 'flock', ['--shared', ...options, this.file, 'true']);
    if (status !== 0 && status !== heldStatus) throw new Error(`Could not look at the lock ${this.file}: ${stderr}`);
    return status === heldStatus;
  }
}
