import { defineConfig } from 'vitest/config';
import { folderForTests } from '../support/memory-folder.ts';

process.env.TMPDIR = folderForTests();

/** `npm run torture`: what takes minutes, or ends programs and databases. One file after the other. */
export default defineConfig({
  test: {
    include: ['tests/torture/*.test.ts'],
    globalSetup: 'tests/support/database-server.ts',
    fileParallelism: false,
    testTimeout: 20 * 60_000,
    hookTimeout: 180_000,
    reporters: ['verbose'],
    // Each scenario prints its figures, in one line.
    disableConsoleIntercept: true,
    server: { deps: { external: [/\/build\/server\//] } },
  },
});
