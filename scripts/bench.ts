/**
 * `npm run bench [-- cached render sale enrol growth staff clicks bytes lighthouse]`: measures the built program on this
 * machine, all parts or those named, and prints a table against the goals. docs/performance.md says what each figure
 * means. Ends with 1 when a goal was missed or a part failed.
 */
import { cpus, loadavg, totalmem } from 'node:os';
import { bytesByKind } from './bench/bytes.ts';
import { cachedPage } from './bench/cached.ts';
import { clicks } from './bench/clicks.ts';
import { enrol } from './bench/enrol.ts';
import { type Figure, isMet, type Part, skipped } from './bench/figure.ts';
import { growth } from './bench/growth.ts';
import { lighthouse } from './bench/lighthouse.ts';
import { freshRender } from './bench/render.ts';
import { sale } from './bench/sale.ts';
import { staff } from './bench/staff.ts';
import { buildIfNeeded } from './build.ts';

const parts: Part[] = [cachedPage, freshRender, sale, enrol, growth, staff, clicks, bytesByKind, lighthouse];
const names = parts.map(({ name }) => name);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${names.join(', ')}.`);
  process.exit(2);
}
await buildIfNeeded();

const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`);
let missed = 0;
for (const { name, run: measure } of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startedAt = performance.now();
  // Above 0.5, others use the machine as well, and milliseconds say little.
  console.log(`\n${name} (load ${loadavg()[0]?.toFixed(1)})`);
  const figures = await measure((line) => console.log(`  ${line}`)).catch((error: unknown) => {
    missed++;
    return [skipped(name, `failed: ${error instanceof Error ? error.message : error}`)];
  });
  for (const figure of figures) {
    const met = isMet(figure);
    if (met === false) missed++;
    console.log(`  ${figure.name.padEnd(72)} ${valueText(figure).padStart(14)}  ${verdict(figure, met)}`.trimEnd());
  }
  console.log(`  (${Math.round((performance.now() - startedAt) / 1000)} s)`);
}
console.log(`\n${missed === 0 ? 'All goals met.' : `${missed} missed or failed.`}`);
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
