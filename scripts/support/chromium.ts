import { existsSync } from 'node:fs';
import path from 'node:path';

// The whole browser first: in the headless shell pages sometimes never became idle.
const names = ['chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell'];

/** Installs it as root on Debian and its relatives. */
export const installChromium = 'apt-get update && apt-get install -y chromium';

/** The system's Chromium, null when there is none on the path. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}
