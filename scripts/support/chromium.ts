import { existsSync } from 'node:fs';
import path from 'node:path';

const whole = ['chromium', 'chromium-browser', 'google-chrome'];
const shell = ['chromium-headless-shell'];

/** Installs a browser for the journeys as root on Debian and its relatives; not all of them package the shell. */
export const installChromium =
  'apt-get update && { apt-get install -y chromium-headless-shell || apt-get install -y chromium; }';

/**
 * The system's Chromium, null when there is none on the path. What is measured or looked at takes the whole browser,
 * as visitors have it; journeys take the headless shell first, which needs about half the processor time.
 */
export function findChromium(first: 'whole' | 'shell' = 'whole'): string | null {
  const names = first === 'whole' ? [...whole, ...shell] : [...shell, ...whole];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}
