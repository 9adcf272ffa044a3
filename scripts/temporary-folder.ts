import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** An empty folder for a program's data, short enough for a socket's path and open to the server's user. */
export function temporaryFolder(parent = os.tmpdir()): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(parent, 'bb-'));
  chmodSync(folder, 0o755);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
