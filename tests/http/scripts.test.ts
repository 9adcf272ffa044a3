import { readFileSync, statSync } from 'node:fs';
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

/** Bytes in brotli: of all scripts of a page, with what it fetches by itself later (P104), and of each of ours. */
const mostOfAll = 130 * 1024;
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
    const culprits = sizes.filter(([file, size]) => !/\/react-/.test(file) && size > mostOfOne);
    expect(culprits).toEqual([]);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    const bySize = [...sizes].sort(([, a], [, b]) => b - a).map(([file, size]) => `${size} ${file}`);
    const list = modules.some((file) => file.includes('/catalogue-section-'));
    const late = [...lateScripts, ...(list ? filterScripts : [])].filter((file) => !modules.includes(file));
    const all = late.reduce((sum, file) => sum + sizeOf(file), total);
    expect(all, [...bySize, ...late].join('\n')).toBeLessThanOrEqual(mostOfAll);
  },
);

type Routes = Record<string, { path?: string }>;

/** Asks for the routes of links as the router does once a page runs. */
async function routesOf(links: string[]): Promise<Response> {
  const html = await (await academy.request('/')).text();
  const version = /"version": "(\w+)"/.exec(html)?.[1] ?? '';
  return academy.request(`/__manifest?${new URLSearchParams({ paths: links.join(','), version })}`);
}

test('a page asks once for the routes of its links, and gets no others', async () => {
  const answer = await routesOf(['/', '/courses', '/course/cissp', '/course/ccna']);
  const routes: Routes = await answer.json();
  expect(Object.values(routes).map(({ path: own }) => own)).toEqual([
    '',
    undefined,
    undefined,
    'courses',
    'course/:courseId',
  ]);
  expect(answer.headers.get('Cache-Control')).toContain('immutable');
});

test('a page of another release is loaded anew', async () => {
  const answer = await academy.request('/__manifest?paths=%2Fcourses&version=old');
  expect([answer.status, answer.headers.get('X-Remix-Reload-Document')]).toEqual([204, 'true']);
});

test('a page for staff names the list of all routes as a file', async () => {
  const html = await (await academy.request('/staff/sign-in')).text();
  expect(html).toMatch(/import "\/assets\/manifest-\w+\.js"/);
});

/** What filters lists in the browser: the page fetches it when it is idle. */
const filterScripts = withImports(filesOfBuild().find((file) => file.startsWith('/assets/local-catalogue-')) ?? '');

/** What shows a player who they are: every page fetches it once React has taken it over (P55). */
const lateScripts = withImports(filesOfBuild().find((file) => file.startsWith('/assets/late-script-')) ?? '');

/** A script and all that it imports by itself. */
function withImports(address: string, found: string[] = []): string[] {
  if (found.includes(address)) return found;
  found.push(address);
  const text = readFileSync(path.join(projectRoot, 'build/client', address), 'utf8');
  for (const [, file] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
    withImports(`/assets/${file}`, found);
  return found;
}

function filesOfBuild(): string[] {
  const made: string[] = JSON.parse(readFileSync(path.join(projectRoot, 'build/.files.json'), 'utf8'));
  return made.filter((file) => file.endsWith('.js')).map((file) => file.replace(/^client/, ''));
}

/** Bytes of a script as the build compressed it, which is what a visitor receives. */
const sizeOf = (address: string) => statSync(path.join(projectRoot, 'build/client', `${address}.br`)).size;
