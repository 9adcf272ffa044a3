/**
 * `npm run engines [-- chromium firefox webkit]`: a smoke journey and every kind of public page in each engine that is
 * installed; says which are not. A page fails when its text after hydration is not what the server sent, or when it
 * reports an error, one from which React recovered included. Pictures go to shots/engines. Ends with 1 on a failure.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';
import { publicPagesByName } from '#scripts/support/public-pages.ts';
import { withProgram } from './bench/programs.ts';
import { buildIfNeeded } from './build.ts';
import { chromium } from './engines/chromium.ts';
import { type Engine, Visitor } from './engines/engine.ts';
import { firefox } from './engines/firefox.ts';
import { smokeJourney } from './engines/journey.ts';
import { listeningProxy } from './engines/listening-proxy.ts';
import { differingText, heardErrors } from './engines/texts.ts';
import { webkit } from './engines/webkit.ts';

const engines: Record<string, Engine> = { chromium, firefox, webkit };
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in engines));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(engines).join(', ')}.`);
  process.exit(2);
}
const chosen = Object.entries(engines).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const installed = chosen.filter(([, engine]) => engine.missing() === null);
for (const [, engine] of chosen) {
  const missing = engine.missing();
  if (missing) console.log(`${engine.name} is left out: ${missing}. npm run engines needs it on the path.`);
}
await buildIfNeeded();

let failed = 0;
await withProgram(async ({ url }) => {
  const proxy = await listeningProxy(url);
  for (const [name, engine] of installed) {
    const pictures = path.join(projectRoot, 'shots/engines', name);
    mkdirSync(pictures, { recursive: true });
    const startedAt = performance.now();
    await part(`${engine.name}: smoke journey`, () =>
      engine.drive((driver) =>
        smokeJourney(new Visitor(driver, proxy.origin), async (step) =>
          writeFileSync(path.join(pictures, `journey-${step.replaceAll(' ', '-')}.png`), await driver.picture()),
        ),
      ),
    );
    await part(`${engine.name}: a session for the pages`, () =>
      engine.drive(async (driver) => {
        const visitor = new Visitor(driver, proxy.origin);
        for (const [page, address] of Object.entries(publicPagesByName)) {
          await part(`${engine.name}: ${address}`, async () => {
            await visitor.open(address);
            const difference = await differingText(visitor);
            writeFileSync(path.join(pictures, `${page}.png`), await driver.picture());
            const faults = await heardErrors(visitor);
            await visitor.run(() => sessionStorage.clear());
            if (difference) faults.unshift(difference);
            if (faults.length > 0) throw new Error(faults.join('\n'));
          });
        }
      }),
    );
    console.log(`  (${Math.round((performance.now() - startedAt) / 1000)} s)`);
  }
  proxy.close();
});
console.log(failed === 0 ? 'All the same.' : `${failed} failed.`);
process.exit(failed === 0 ? 0 : 1);

async function part(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
    console.log(`ok     ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error instanceof Error ? error.message : error}`);
  }
}
