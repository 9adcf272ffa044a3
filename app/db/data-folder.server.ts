import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its missing parents one by one: `mkdirSync` with `recursive` never returns where the kernel
 * refuses with ENOENT although the parent exists, as under /proc.
 */
export function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder), 0o755);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another program has created it in the meantime.
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
}

/** One line about a folder that cannot be used; null for errors that do not come from the file system. */
export function folderFault(folder: string, error: unknown): string | null {
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (!code || !syscall) return null;
  const reason = reasons[code] ?? code;
  return `The data folder ${folder} cannot be used: ${reason}. Set DATA_DIR to a folder this user can write to.`;
}

const reasons: Record<string, string> = {
  EACCES: 'access is refused',
  EPERM: 'access is refused',
  EROFS: 'it is on a read-only file system',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'part of the path is a file',
  ENOSPC: 'its disk is full',
};
