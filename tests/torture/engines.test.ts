// @module-tag torture
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram, temporaryFolder } from '#scripts/support/program.ts';
import { publicPages } from '#scripts/support/public-pages.ts';
import { fillDataFolder } from '#tests/support/data-folder.ts';
import { differingText, heardErrors, Visitor } from '#tests/support/engines/engine.ts';
import { firefox } from '#tests/support/engines/firefox.ts';
import { listeningProxy } from '#tests/support/engines/listening-proxy.ts';
import { webkit } from '#tests/support/engines/webkit.ts';
import { behindProxy } from '#tests/support/visitors.ts';

const data = temporaryFolder();
let program: Program;
let proxy: Awaited<ReturnType<typeof listeningProxy>>;
beforeAll(async () => {
  fillDataFolder(data.folder);
  program = await startProgram({ ...behindProxy, DATA_DIR: data.folder, TODAY: '2025-09-08' });
  proxy = await listeningProxy(program.url);
});
afterAll(async () => {
  proxy.close();
  await program.end('SIGTERM');
  data.remove();
});

test.each([firefox, webkit])(
  '$name shows each public page with the text that the server sent, and reports no error',
  async (engine) => {
    const missing = engine.missing();
    if (missing) return console.log(`left out: ${missing}`);
    await engine.drive(async (driver) => {
      const visitor = new Visitor(driver, proxy.origin);
      for (const address of publicPages) {
        await visitor.open(address);
        expect({ address, difference: await differingText(visitor) }).toEqual({ address, difference: null });
      }
      expect(await heardErrors(visitor)).toEqual([]);
      console.log(`${publicPages.length} pages`);
    });
  },
);

test.each([firefox, webkit])(
  '$name: a visitor filters, goes back, reads in dark, begins to enrol and chats, without an error',
  async (engine) => {
    const missing = engine.missing();
    if (missing) return console.log(`left out: ${missing}`);
    await engine.drive(async (driver) => {
      const visitor = new Visitor(driver, proxy.origin);
      await filterAndReturn(visitor);
      await readInDark(visitor);
      await beginToEnrol(visitor);
      await chat(visitor);
      expect(await heardErrors(visitor)).toEqual([]);
    });
  },
);

async function filterAndReturn(visitor: Visitor): Promise<void> {
  await visitor.open('/courses');
  await visitor.choose('select[name=category]', 'soc');
  await visitor.at(/^\/courses\?category=soc$/);
  await visitor.holds(() => document.querySelectorAll('main article').length < 24);
  await visitor.press('main article:last-of-type a[href^="/course/"]');
  await visitor.at(/^\/course\//);
  await visitor.press('main a', 'Back to Courses');
  await visitor.at(/^\/courses\?category=soc$/);
  // The course has one card at most; a list fades in after its address has changed.
  await visitor.holds(() => document.querySelectorAll('main article').length > 1);
  await visitor.settled();
}

async function readInDark(visitor: Visitor): Promise<void> {
  await visitor.press('label', 'Dark');
  await visitor.holds(() => document.documentElement.dataset.scheme === 'dark');
  await visitor.open('/training-calendar');
  const brightest = await visitor.run(() => {
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen) throw new Error('No canvas');
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, 1, 1);
    return Math.max(...pen.getImageData(0, 0, 1, 1).data.slice(0, 3));
  });
  expect(brightest).toBeLessThan(80);
}

async function beginToEnrol(visitor: Visitor): Promise<void> {
  await visitor.open('/enrol?course=cissp');
  await visitor.press('main label:has(input[name=choice]), main label:has(input[type=radio])');
  await visitor.press('main button[type=submit], main button:not([type])', 'Continue');
  await visitor.at(/^\/enrol\/[0-9a-f]{48}/);
  await visitor.hydrated();
}

async function chat(visitor: Visitor): Promise<void> {
  await visitor.open('/chat');
  await visitor.fill('main textarea', 'Is the Melbourne date certain?');
  // A form sent within two seconds counts as a machine's (P24).
  await sleep(2200);
  await visitor.press('main button', 'Start Chat');
  await visitor.holds(() => document.querySelector('[role=log]')?.textContent?.includes('Melbourne') ?? false);
  await visitor.hydrated();
  await visitor.fill('main textarea', 'Thank you.\n');
  await visitor.holds(() => document.querySelector('[role=log]')?.textContent?.includes('Thank you.') ?? false);
}
