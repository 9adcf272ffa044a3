import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{app,scripts}/**/*.test.ts', 'tests/{database,http,program}/**/*.test.ts'],
    globalSetup: 'tests/support/database-server.ts',
    setupFiles: 'tests/support/quiet-console.ts',
    // Most of a program test is waiting for programs: two cores serve four of them.
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The built program is tested as it is, not transformed once more.
    server: { deps: { external: [/\/build\/server\//] } },
  },
});
