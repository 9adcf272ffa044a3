import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import { findChromium } from '#scripts/support/chromium.ts';
import { temporaryFolder } from '#scripts/support/program.ts';
import { publicPages } from '../support/public-pages.ts';
import { type Figure, median, type Part, skipped } from './figure.ts';
import { withProgram } from './programs.ts';

type Report = {
  /** Set when Lighthouse could not record the page; it then gives no scores. */
  runtimeError?: { code: string; message: string };
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
};

const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
/** Reports of each page; the figure is their median. */
const runs = Number(process.env.LIGHTHOUSE_RUNS ?? 5);

/**
 * Lighthouse's figures for a phone on every kind of public page. Lighthouse itself is not installed with the program:
 * `npm install --no-save lighthouse@13.5.0`, or its folder in LIGHTHOUSE.
 */
export const lighthouse: Part = {
  name: 'lighthouse',
  async run(say) {
    const folder = process.env.LIGHTHOUSE ?? path.join(projectRoot, 'node_modules/lighthouse');
    const chromium = findChromium();
    if (!existsSync(path.join(folder, 'cli/index.js'))) return [skipped('Lighthouse', 'is not installed')];
    if (!chromium) return [skipped('Lighthouse', 'Chromium is not installed')];
    return withProgram(async ({ url }) => {
      const figures: Figure[] = [];
      for (const page of publicPages) {
        const reports: Report[] = [];
        while (reports.length < runs) reports.push(await auditPatiently(folder, chromium, `${url}${page}`, say));
        const of = (read: (report: Report) => number) => median(reports.map(read));
        for (const category of categories) {
          const value = of((report) => Math.round((report.categories[category]?.score ?? 0) * 100));
          figures.push({
            name: `Lighthouse ${page}: ${category}`,
            unit: '',
            value,
            goal: { atLeast: category === 'performance' ? 99 : 100 },
          });
        }
        const lcp = of((report) => report.audits['largest-contentful-paint']?.numericValue ?? Number.NaN) / 1000;
        const shift = of((report) => report.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN);
        const blocking = of((report) => report.audits['total-blocking-time']?.numericValue ?? Number.NaN);
        figures.push(
          { name: `Lighthouse ${page}: largest paint`, unit: 's', value: lcp, goal: { atMost: 1.2 } },
          { name: `Lighthouse ${page}: layout shift`, unit: '', value: shift, goal: { atMost: 0 } },
          { name: `Lighthouse ${page}: blocked`, unit: 'ms', value: blocking, goal: { atMost: 50 } },
        );
        say(
          `${page}: ${figures
            .slice(-7, -3)
            .map(({ value }) => value)
            .join(' ')}, ${lcp.toFixed(2)} s`,
        );
      }
      return figures;
    });
  },
};

/**
 * A recording now and then has no beginning (NO_NAVSTART): then Lighthouse is asked again, twice
 * at most, and what it said is shown.
 */
async function auditPatiently(
  folder: string,
  chromium: string,
  url: string,
  say: (line: string) => void,
): Promise<Report> {
  for (let attempt = 1; ; attempt++) {
    const report = await audit(folder, chromium, url);
    const fault = typeof report === 'string' ? report : report.runtimeError?.message;
    if (typeof report !== 'string' && !fault) return report;
    if (attempt === 3) throw new Error(`Lighthouse failed on ${url}: ${fault}`);
    say(`${url}, attempt ${attempt}: ${fault?.trim().split('\n').at(-1)}`);
  }
}

/** A report, or the error of Lighthouse. */
async function audit(folder: string, chromium: string, url: string): Promise<Report | string> {
  const { folder: output, remove } = temporaryFolder();
  const file = path.join(output, 'report.json');
  const flags = '--headless --no-sandbox --disable-gpu --disable-background-networking';
  const run = spawn(
    process.execPath,
    [
      path.join(folder, 'cli/index.js'),
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--only-categories=${categories.join(',')}`,
      `--chrome-flags=${flags}`,
    ],
    { env: { ...process.env, CHROME_PATH: chromium }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errors = '';
  run.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(run, 'close');
  if (code !== 0) {
    remove();
    return errors;
  }
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  remove();
  return report;
}
