import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const seedKeyFile = 'sign-in.key';

/**
 * The key that seals the seeds of staff's apps: 32 bytes, from `SIGN_IN_KEY` or a file of the data folder that the first
 * start writes. It is in no database and no backup of one, so who reads those has one factor at most.
 */
export function openSeedKey({ dataDir, signInKey }: { dataDir: string; signInKey: string | null }): Uint8Array {
  if (signInKey !== null) return Buffer.from(signInKey, 'base64url');
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, seedKeyFile);
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  }
  return Buffer.from(readFileSync(file, 'utf8'), 'base64url');
}
