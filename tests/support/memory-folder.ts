import { accessSync, constants, statfsSync } from 'node:fs';
import os from 'node:os';

/** What all tests at once keep in temporary folders, several times over. */
const enoughBytes = 4 * 2 ** 30;
const memory = '/dev/shm';

/**
 * Where temporary folders of tests lie: in memory where there is room, because tests make and remove thousands of small
 * files, which costs a file system on disk more than all their queries.
 */
export function folderForTests(): string {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes ? memory : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}
