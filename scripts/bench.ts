/**
 * `npm run bench [-- cached render search edit sale enrol staff clicks bytes lighthouse]`: measures the built program on this machine,
 * all parts or those named, prints a table against the goals, writes bench/results.json, adds to bench/history.jsonl and
 * draws the history into docs/performance. docs/performance.md says what each figure means. Ends with 1 when a goal was missed or a part failed.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import { bytesByKind } from './bench/bytes.ts';
import { cachedPage } from './bench/cached.ts';
import { catalogueSearch } from './bench/catalogue.ts';
import { charts } from './bench/charts.ts';
import { clicks } from './bench/clicks.ts';
import { editVisible } from './bench/edit.ts';
import { enrol } from './bench/enrol.ts';
import { type Figure, isMet, type Part, skipped } from './bench/figure.ts';
import { historyFile, lineOf, readHistory } from './bench/history.ts';
import { lighthouse } from './bench/lighthouse.ts';
import { freshRender } from './bench/render.ts';
import { sale } from './bench/sale.ts';
import { staff } from './bench/staff.ts';
import { buildIfNeeded } from './build.ts';

type Measured = { commit: string; date: string; machine: string; figures: Figure[] };

const parts: Part[] = [
  cachedPage,
  freshRender,
  catalogueSearch,
  editVisible,
  sale,
  enrol,
  staff,
  clicks,
  bytesByKind,
  lighthouse,
];
const names = parts.map(({ name }) => name);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${names.join(', ')}.`);
  process.exit(2);
}
await buildIfNeeded();

const file = path.join(projectRoot, 'bench/results.json');
const results: Record<string, Measured> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
let missed = 0;
for (const { name, run: measure } of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  const startedAt = performance.now();
  const busy = loadavg()[0] ?? 0;
  const figures = await measure((line) => console.log(`  ${line}`)).catch((error: unknown) => {
    missed++;
    return [skipped(name, `failed: ${error instanceof Error ? error.message : error}`)];
  });
  const [cpu] = cpus();
  const computer = `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
  const machine = `${computer}, load ${busy.toFixed(1)} at the start`;
  const run = { commit: commit(), date: new Date().toISOString() };
  results[name] = { ...run, machine, figures };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  const line = { part: name, ...run, load: Number(busy.toFixed(1)), machine: computer };
  // A part that failed has measured nothing.
  if (figures.some(({ value }) => value !== null)) appendFileSync(historyFile, lineOf(line, figures));
  for (const figure of figures) {
    const met = isMet(figure);
    if (met === false) missed++;
    console.log(`  ${figure.name.padEnd(72)} ${valueText(figure).padStart(14)}  ${verdict(figure, met)}`.trimEnd());
  }
  console.log(`  (${Math.round((performance.now() - startedAt) / 1000)} s on ${machine})`);
}
const drawings = path.join(projectRoot, 'docs/performance');
mkdirSync(drawings, { recursive: true });
for (const [part, svg] of charts(readHistory())) writeFileSync(path.join(drawings, `${part}.svg`), svg);
console.log(
  `\n${missed === 0 ? 'All goals met.' : `${missed} missed or failed.`} Written to bench and docs/performance.`,
);
process.exit(missed === 0 ? 0 : 1);

function valueText({ value, unit, note }: Figure): string {
  if (value === null) return `skipped: ${note}`;
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2;
  const text = value.toLocaleString('en-AU', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text} ${unit}`.trim();
}

function verdict({ goal, note, value }: Figure, met: boolean | null): string {
  if (!goal) return value === null ? '' : (note ?? '');
  const wish = 'atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
  return `${wish}: ${met ? 'met' : 'MISSED'}${note ? ` (${note})` : ''}`;
}

/** The commit that was measured; marked when files differ from it. */
function commit(): string {
  const git = (...args: string[]) =>
    spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).stdout?.trim() ?? '';
  const changed = git('status', '--porcelain', '--', 'app', 'server', 'content', 'package-lock.json') !== '';
  return `${git('rev-parse', '--short', 'HEAD') || 'unknown'}${changed ? ' with changes' : ''}`;
}
