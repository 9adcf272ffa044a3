import { statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { publicPages } from '#scripts/support/public-pages.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

/** Bytes in brotli; the standard's 110 KB for all scripts, and for what is a page's own. */
const mostOfAll = 110 * 1024;
const mostOfOne = 10 * 1024;

test.each([...publicPages, '/nowhere'])(
  '%s starts no script before it is used, and few bytes of it then',
  async (address) => {
    const html = await (await academy.request(address)).text();
    const early = /<link rel="modulepreload"|<script[^>]*type="module"|<link[^>]*as="font"/.exec(html);
    expect(early?.[0]).toBeUndefined();
    const modules = /type="text\/plain" data-modules="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? [];
    expect(modules.length).toBeGreaterThan(3);
    expect(modules.length).toBeLessThanOrEqual(18);
    const sizes = modules.map((file) => [file, sizeOf(file)] as const);
    const culprits = sizes.filter(([file, size]) => !file.includes('/react-') && size > mostOfOne);
    expect(culprits).toEqual([]);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    const bySize = [...sizes].sort(([, a], [, b]) => b - a).map(([file, size]) => `${size} ${file}`);
    expect(total, bySize.join('\n')).toBeLessThanOrEqual(mostOfAll);
  },
);

/** Bytes of a script as the build compressed it, which is what a visitor receives. */
const sizeOf = (address: string) => statSync(path.join(projectRoot, 'build/client', `${address}.br`)).size;
