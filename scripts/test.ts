/**
 * `npm test`, and `npm run torture` for the second ring: all that a change must pass; ends with one line of totals. Stages
 * run side by side, in two lanes, so that two cores are never idle: each of them often waits for something.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import { findChromium, installChromium } from '#scripts/support/chromium.ts';
import { compiled, temporaryFolder } from '#scripts/support/program.ts';

type Outcome = { passed: number; failed: number; details: string };
type Stage = { name: string; run: () => Promise<Outcome> };

const installPooler = 'apt-get update && apt-get install -y --no-install-recommends pgbouncer haproxy';
const second = process.argv[2] === 'torture';
const reports = path.join(projectRoot, 'test-results');
const bin = (name: string) => path.join(projectRoot, 'node_modules/.bin', name);

const build = { name: 'build', run: () => check(['node', 'scripts/build.ts']) };
const checks: Stage[] = [
  { name: 'types', run: () => check([bin('react-router'), 'typegen'], [bin('tsc'), '--noEmit']) },
  { name: 'lint, format and layers', run: () => check([bin('biome'), 'ci', '--reporter=summary', '.']) },
  { name: 'unused code', run: () => check([bin('knip'), '--no-progress']) },
  { name: 'content', run: () => check(['node', 'scripts/content.ts', 'check']) },
];
const vitest = { name: second ? 'torture' : 'unit, database and program', run: runVitest };
const journeys = { name: second ? 'every page in a browser' : 'browser journeys', run: runPlaywright };

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
let [passed, failed] = [0, 0];
const built = runStage(build);
// Beside it: to fetch a browser takes a minute, most of it waiting, and the journeys are last in their lane.
const chromium = ensureChromium();
const pooler = second ? ensurePooler() : null;
// Both need the build; a second one at the same time would write the same files.
await Promise.all([runLane(second ? [journeys] : [...checks, journeys]), runLane([vitest])]);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs stages one after the other, also after one that failed. Without a build it leaves out those that need one. */
async function runLane(stages: Stage[]): Promise<void> {
  for (const stage of stages) {
    if (!checks.includes(stage) && !(await built)) return;
    if (stage === vitest) await pooler;
    await runStage(stage);
  }
}

/** Runs a stage, prints its result, and returns whether it passed. */
async function runStage({ name, run }: Stage): Promise<boolean> {
  const startedAt = performance.now();
  const outcome = await run();
  passed += outcome.passed;
  failed += outcome.failed;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${outcome.failed > 0 ? 'FAILED' : 'ok    '} ${name} (${seconds} s)`);
  if (outcome.failed > 0) console.log(outcome.details);
  return outcome.failed === 0;
}

/** Commands that pass or fail as one. */
async function check(...commands: string[][]): Promise<Outcome> {
  for (const command of commands) {
    const { code, output } = await run(command);
    if (code !== 0) return { passed: 0, failed: 1, details: output };
  }
  return { passed: 1, failed: 0, details: '' };
}

async function runVitest(): Promise<Outcome> {
  const file = path.join(reports, 'vitest.json');
  // Of files without such a test the second ring need not even know what is in them.
  const ring = second
    ? ['--tags-filter=torture', ...globSync('{app,scripts,tests}/**/*.test.ts').filter(hasTorture)]
    : ['--tags-filter=!torture'];
  const { output } = await run([bin('vitest'), 'run', ...ring, '--reporter=json', `--outputFile=${file}`]);
  if (!existsSync(file)) return { passed: 0, failed: 1, details: output };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const files: { name: string; status: string; message: string; assertionResults: VitestTest[] }[] = report.testResults;
  const details = files.flatMap(({ name, status, message, assertionResults }) => [
    ...(status === 'failed' && message ? [`${name}: ${message}`] : []),
    ...assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${name}: ${test.fullName}\n${test.failureMessages.join('\n').slice(0, 3000)}`),
  ]);
  const broken = files.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
  const failures = report.numFailedTests + broken.length;
  // All tests can pass and the run still fail because of an error outside of them.
  const outside = failures === 0 && !report.success ? 1 : 0;
  return {
    passed: report.numPassedTests,
    failed: failures + outside,
    details: outside ? output.slice(-5000) : details.join('\n\n'),
  };
}
function hasTorture(file: string): boolean {
  return /@module-tag torture|support\/torture\.ts/.test(readFileSync(file, 'utf8'));
}
type VitestTest = { status: string; fullName: string; failureMessages: string[] };

async function runPlaywright(): Promise<Outcome> {
  const missing = await chromium;
  if (missing) return { passed: 0, failed: 1, details: missing };
  const file = path.join(reports, 'e2e.json');
  // The two that buy run after those on which they depend.
  const projects = second ? 'torture' : 'buying*';
  // A new data folder each time: an earlier run's may have another day or another schema.
  const data = temporaryFolder();
  const { output } = await run([bin('playwright'), 'test', `--project=${projects}`], {
    E2E_REPORT: file,
    E2E_DATA_DIR: data.folder,
  });
  data.remove();
  if (!existsSync(file)) return { passed: 0, failed: 1, details: output };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const { expected, unexpected, flaky } = report.stats;
  const errors = report.errors.map((error: { message: string }) => error.message);
  const details = [...errors, ...failuresOf(report.suites)].join('\n\n');
  return { passed: expected, failed: unexpected + flaky + errors.length, details };
}

type Suite = { title: string; suites?: Suite[]; specs: Spec[] };
type Spec = {
  title: string;
  ok: boolean;
  tests: { projectName: string; results: { error?: { message: string } }[] }[];
};

function failuresOf(suites: Suite[]): string[] {
  return suites.flatMap((suite) => [
    ...suite.specs
      .filter((spec) => !spec.ok)
      .flatMap((spec) =>
        spec.tests.map(
          ({ projectName, results }) =>
            `${suite.title} › ${spec.title} (${projectName})\n${results[0]?.error?.message?.slice(0, 3000) ?? 'no message'}`,
        ),
      ),
    ...failuresOf(suite.suites ?? []),
  ]);
}

/** Installs PgBouncer and HAProxy as root; without them the tests that need them are left out. */
async function ensurePooler(): Promise<void> {
  const has = ['pgbouncer', 'haproxy'].every((name) => existsSync(`/usr/sbin/${name}`));
  if (has || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log('Installing PgBouncer and HAProxy');
  // At this level their services are not started.
  await run(['sh', '-c', installPooler], { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' });
}

/** Finds Chromium, or installs Debian's as root; otherwise returns a message with the command to run. */
async function ensureChromium(): Promise<string | null> {
  if (findChromium()) return null;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium');
    await run(['sh', '-c', installChromium], { DEBIAN_FRONTEND: 'noninteractive' });
  }
  return findChromium() ? null : `Chromium is needed for the browser journeys. Run: sudo sh -c '${installChromium}'`;
}

function run(command: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env, NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
