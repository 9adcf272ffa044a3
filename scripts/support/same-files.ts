import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The hash of the names and contents of files. `memory` is a file that keeps it, with what the system says of each of
 * them (size, and when it was last changed in any way): while that is the same, they are not read again, which takes
 * longer than all else at a start. Where the memory cannot be written they are read each time.
 */
export function hashOfFiles(files: readonly string[], root: string, memory: string): string {
  const names = files.map((file) => path.relative(root, file));
  const state = createHash('sha256');
  files.forEach((file, at) => {
    const { size, mtimeNs, ctimeNs, ino } = statSync(file, { bigint: true });
    state.update(`${names[at]}\0${size} ${mtimeNs} ${ctimeNs} ${ino}\0`);
  });
  const now = state.digest('hex');
  const [before, known] = remembered(memory);
  if (before === now && known) return known;
  const hash = createHash('sha256');
  files.forEach((file, at) => {
    hash.update(`${names[at]}\0`).update(readFileSync(file));
  });
  const found = hash.digest('hex');
  try {
    writeFileSync(memory, `${now} ${found}`);
  } catch {
    // A folder that is read-only, or not there yet.
  }
  return found;
}

function remembered(memory: string): string[] {
  try {
    const parts = readFileSync(memory, 'utf8').split(' ');
    // Another program may be writing it.
    return parts.every((part) => /^[0-9a-f]{64}$/.test(part)) ? parts : [];
  } catch {
    return [];
  }
}
