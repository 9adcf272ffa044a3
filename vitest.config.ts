import { defineConfig } from 'vitest/config';
import { ByWaiting } from './tests/support/by-waiting.ts';
import { folderForTests } from './tests/support/memory-folder.ts';

const databaseServer = 'tests/support/database-server.ts';
const inDevelopment = 'tests/http/react-warnings.test.ts';

/** Most of what a test makes is garbage at once: more room for what is new means collecting it less often. */
const roomForNew = ['--min-semi-space-size=32', '--max-semi-space-size=64'];

// For the set-up and for every worker.
process.env.TMPDIR = folderForTests();

export default defineConfig({
  test: {
    // Most of a program test is waiting for programs: two cores serve four of them.
    maxWorkers: 4,
    sequence: { sequencer: ByWaiting },
    // Long counts take many minutes.
    tags: [{ name: 'torture', description: 'left to npm run torture', timeout: 40 * 60_000 }],
    projects: [
      // Beside their subject, or about the repository; they need neither the build nor a database.
      project('unit', { include: ['{app,scripts,tests/repository}/**/*.test.ts'], isolate: false }),
      project('code', {
        include: ['tests/{database,program,torture}/**/*.test.ts', inDevelopment],
        globalSetup: databaseServer,
        isolate: false,
      }),
      project('http', {
        globalSetup: databaseServer,
        include: ['tests/http/**/*.test.ts'],
        exclude: [inDevelopment],
        // React as visitors get it; in development it takes several times as long to render a page.
        env: { NODE_ENV: 'production' },
        isolate: false,
        production: true,
      }),
    ],
  },
});

type Own = {
  include: string[];
  exclude?: string[];
  globalSetup?: string;
  isolate?: boolean;
  env?: Record<string, string>;
};

/** Node takes the builds of packages that visitors get: vitest adds its condition to any that a configuration names. */
function notInDevelopment() {
  return {
    name: 'not-in-development',
    configResolved({ ssr }: { ssr: { resolve?: { conditions?: string[] } } }) {
      if (!ssr.resolve?.conditions) throw new Error('vitest no longer keeps its conditions here');
      ssr.resolve.conditions = ssr.resolve.conditions.filter((one) => !/development/.test(one));
    },
  };
}

/** `isolate: false` keeps a worker and what it has loaded for further files. */
function project(name: string, { production = false, ...own }: Own & { production?: boolean }) {
  return {
    // The runtime of JSX that React has in development as well as in production.
    oxc: { jsx: { development: false } },
    plugins: production ? [notInDevelopment()] : [],
    test: {
      name,
      setupFiles: ['tests/support/quiet-console.ts'],
      execArgv: roomForNew,
      // How busy the machine is must not decide a test.
      testTimeout: 10 * 60_000,
      expect: { poll: { timeout: 5 * 60_000 } },
      hookTimeout: 10 * 60_000,
      // The built program is tested as it is, not transformed once more.
      server: { deps: { external: [/\/build\/server\//] } },
      ...own,
    },
  };
}
