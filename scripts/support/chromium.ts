import { existsSync } from 'node:fs';
import path from 'node:path';

// The first has no window and no interface of its own, and takes less time for the same pages.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Installs it as root on Debian and its relatives, not all of which package the first. */
export const installChromium =
  'apt-get update && (apt-get install -y chromium-headless-shell || apt-get install -y chromium)';

/** The system's Chromium, null when there is none on the path. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}
