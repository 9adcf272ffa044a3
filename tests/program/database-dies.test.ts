import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { clientBackendsIn, postmastersIn } from '#tests/support/postmaster.ts';

const data = temporaryFolder();
let program: Program;
let tokens: string[];

beforeAll(async () => {
  fillDataFolder(data.folder);
  program = await startProgram({ DATA_DIR: data.folder });
  const { text } = await get(`${program.url}/contact`);
  tokens = [/name="form"[^>]*value="([^"]+)"/.exec(text)?.[1] ?? ''];
});
afterAll(async () => {
  await program.end('SIGTERM');
  data.remove();
});

const ended = () => program.process.exitCode !== null;

/** Reads and posts continuously until stopped, so that the database is always in use; counts the answers. */
function load() {
  let [stopped, answered] = [false, 0];
  const ask = async (request: () => Promise<Response>) => {
    while (!stopped) {
      const response = await request().catch(() => null);
      await response?.arrayBuffer().catch(() => undefined);
      if (response) answered++;
      else await until(() => stopped || !ended());
    }
  };
  const { url } = program;
  const read = () => fetch(`${url}/sent/BB-222222`);
  const write = () => {
    const person = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', message: 'Hello' };
    const body = new URLSearchParams({ form: tokens[0] ?? '', ...person });
    return fetch(`${url}/contact`, { method: 'POST', redirect: 'manual', headers: { Origin: url }, body });
  };
  const loops = [read, read, read, write, write, write].map(ask);
  return {
    answered: () => answered,
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

// PostgreSQL takes SIGQUIT for an immediate stop and SIGINT for a fast one.
test.each([
  { death: 'its postmaster is killed', victims: postmastersIn, signal: 'SIGKILL' as const },
  { death: 'one of its backends is killed', victims: clientBackendsIn, signal: 'SIGKILL' as const },
  { death: 'it is stopped at once', victims: postmastersIn, signal: 'SIGQUIT' as const },
  { death: 'it is stopped fast', victims: postmastersIn, signal: 'SIGINT' as const },
])(
  'with requests in flight, the program survives its database when $death',
  async ({ victims, signal }) => {
    for (let round = 0; round < 2; round++) {
      const visitors = load();
      try {
        await until(() => visitors.answered() > 50 || ended());
        const [victim = 0] = victims(data.folder);
        expect(victim).toBeGreaterThan(0);
        const printed = program.output().length;
        process.kill(victim, signal);
        await until(() => program.output().slice(printed).includes('database connection lost') || ended());
        expect(ended()).toBe(false);
        // They go on while it is away, but not until it is back: that would be work for seconds.
        const before = visitors.answered();
        await until(() => visitors.answered() > before + 12 || ended());
        await visitors.stop();
        // /readyz may still return its cached result for a second.
        const lostAt = performance.now();
        const ready = async () =>
          performance.now() - lostAt > 1_500 && (await get(`${program.url}/readyz`)).status === 200;
        await until(ready);
      } finally {
        await visitors.stop();
      }
    }
    expect(ended()).toBe(false);
  },
  600_000,
);

test('a lost connection is logged by code and reason, without the client and its settings', () => {
  const lines = program
    .output()
    .split('\n')
    .filter((line) => line.includes('database connection lost'));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(Object.keys(JSON.parse(line)).sort()).toEqual(['code', 'level', 'msg', 'reason', 'time']);
  }
});
