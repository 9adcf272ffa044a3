/**
 * `npm run chaos [-- deaths stops …]`: tests how the built program handles failures, on loopback and with temporary
 * data folders, and counts what visitors lost. About seven minutes; exits with 1 when anything was lost.
 */
import { buildIfNeeded } from './build.ts';
import { databaseDeaths } from './chaos/deaths.ts';
import type { Experiment } from './chaos/experiment.ts';
import { hotSession } from './chaos/hot-session.ts';
import { hungDatabase } from './chaos/hung-database.ts';
import { programKills } from './chaos/kills.ts';
import { twoNamespaces } from './chaos/namespaces.ts';
import { slowInserts } from './chaos/slow-inserts.ts';
import { stopsUnderLoad } from './chaos/stops.ts';
import { stopsWithWholeRequests } from './chaos/whole-requests.ts';

const experiments: Record<string, Experiment> = {
  deaths: databaseDeaths,
  namespaces: twoNamespaces,
  stops: stopsUnderLoad,
  'stops-whole': stopsWithWholeRequests,
  inserts: slowInserts,
  hang: hungDatabase,
  hot: hotSession,
  kills: programKills,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(experiments, name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(experiments).join(', ')}.`);
  process.exit(2);
}
await buildIfNeeded();
const rows: [string, string, string][] = [];
for (const [key, experiment] of Object.entries(experiments)) {
  // `stops` runs `stops-whole` too.
  if (wanted.length > 0 && !wanted.some((name) => `${key}-`.startsWith(`${name}-`))) continue;
  const startedAt = performance.now();
  console.log(`${experiment.name}`);
  const { harm, figures } = await experiment.run((line) => console.log(`  ${line}`));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const told = Object.entries(figures).map(([name, value]) => `${name}: ${value}`);
  rows.push([harm === 0 ? 'ok' : 'HARM', `${experiment.name} (${seconds} s)`, told.join(', ')]);
  if (harm > 0) process.exitCode = 1;
}
const width = Math.max(...rows.map(([, name]) => name.length));
console.log(`\n${rows.map(([mark, name, told]) => `${mark.padEnd(4)}  ${name.padEnd(width)}  ${told}`).join('\n')}`);
process.exit();
