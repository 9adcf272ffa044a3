import { execFileSync } from 'node:child_process';
import { inject } from 'vitest';

/**
 * Fills an empty data folder as the program's first run on 8 September 2025 would, by copying: a first run takes
 * seconds. Tests about the first run itself go without.
 */
export function fillDataFolder(folder: string): void {
  execFileSync('cp', ['-a', `${inject('academyFolder')}/.`, folder]);
}
