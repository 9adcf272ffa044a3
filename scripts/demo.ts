/**
 * `npm run demo`: fills an empty database with half a year of a believable academy, which ends today (P86); then
 * `npm start` with the same `DATA_DIR` shows it. `--weeks N`, `--enrolments N` and `--seed N` change it.
 */

import { createServer } from 'vite';
import { settingsOrExit } from '#app/env.server.ts';
import { whyNot } from './demo/why-not.ts';
import { serverThreads } from './server-threads.ts';
import { optionsOrExit } from './support/options.ts';

const usage = `npm run demo [-- --weeks 26] [--enrolments N] [--seed 1]
Fills the empty database in DATA_DIR or DATABASE_URL with as many weeks, which end today.`;
const { values } = optionsOrExit(usage, {
  options: { weeks: { type: 'string' }, enrolments: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const weeks = numberOrExit(values.weeks ?? '26', 'weeks', 104);
const enrolments = numberOrExit(values.enrolments ?? String(Math.round(weeks * 15.5)), 'enrolments', 5000);
const seed = numberOrExit(values.seed, 'seed', 2 ** 31);
const settings = settingsOrExit();
const startedAt = performance.now();

const why = await whyNot(settings, (line) => console.log(line));
if (why) {
  console.error(why);
  process.exit(2);
}

// The emails are written by components, which Node does not read by itself. No more of the pages' build than that: it
// would write the types of routes, which others may be reading.
process.env.NODE_ENV = 'production';
const vite = await createServer({
  configFile: false,
  plugins: [serverThreads()],
  oxc: { jsx: { development: false } },
  server: { middlewareMode: true, ws: false, watch: null },
  appType: 'custom',
  logLevel: 'error',
});
const { runDemo } = (await vite.ssrLoadModule('/scripts/demo/run.ts')) as typeof import('./demo/run.ts');
const result = await runDemo(settings, { weeks, enrolments, seed }, (line) => console.log(line));
await vite.close();
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(
  `\nMade in ${seconds} seconds, with everything in ${settings.databaseUrl ? 'DATABASE_URL' : settings.dataDir}:`,
);
for (const [what, count] of [...result.counts].toSorted()) console.log(`${String(count).padStart(6)}  ${what}`);
console.log('\nStart the program on the same DATA_DIR. Then each of these links signs in once, within 15 minutes:');
for (const { who, name, link, code } of result.links) {
  console.log(`\n${who}: ${name}\n${link}${code === null ? '' : `\nsecond step: ${code}`}`);
}
process.exit(0);

function numberOrExit(text: string, name: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= most) return number;
  console.error(`--${name} has to be a whole number from 1 to ${most}, not "${text}".`);
  process.exit(2);
}
