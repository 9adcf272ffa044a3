import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { projectRoot } from '#app/env.server.ts';
import { addressOfList, type RouteList, routeLists } from '#app/http/public-list.ts';
import { replaceBuild } from './support/last-build.ts';
import { hashOfFiles } from './support/same-files.ts';

const folder = path.join(projectRoot, 'build');
/** Inside it, where a build is made before it takes the last one's place. */
const next = '.next';
const entry = path.join(folder, 'server/index.js');
const stamp = path.join(folder, '.sources');
/** The state of the sources when they were last read. */
const seen = path.join(folder, '.seen');
const sources = [
  'app/**/*',
  'server/**/*',
  'public/**/*',
  '{react-router,vite}.config.ts',
  'scripts/{build,browser-code,server-code,other-bodies}.ts',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * Builds unless the last build was made from the same sources; returns the server's entry file. A running program goes
 * on with the last build's files, which stay until the next build. A build that fails changes nothing.
 */
export async function buildIfNeeded(): Promise<string> {
  const wanted = hashOfSources();
  const built = existsSync(entry) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (built) return entry;
  const startedAt = performance.now();
  rmSync(path.join(folder, next), { recursive: true, force: true });
  console.log('Building');
  const result = spawnSync(process.execPath, [bin('react-router'), 'build', '--logLevel', 'warn'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', BUILD_FOLDER: `build/${next}` },
  });
  if (result.status !== 0) throw new Error(`the build failed\n${result.stdout}${result.stderr}`);
  writeShorterLists();
  compressAssets();
  rmSync(stamp, { force: true });
  replaceBuild(folder, next);
  writeFileSync(stamp, wanted);
  console.log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return entry;
}

function hashOfSources(): string {
  const files = globSync(sources, { cwd: projectRoot, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => path.join(found.parentPath, found.name))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
  return hashOfFiles(files, projectRoot, seen);
}

/** Writes the shorter lists of routes. Links to pages that are not in a page's list load the document. */
function writeShorterLists(): void {
  const assets = path.join(folder, next, 'client/assets');
  const start = 'window.__reactRouterManifest=';
  const lists = globSync('manifest-*.js', { cwd: assets })
    .map((file) => ({ file, text: readFileSync(path.join(assets, file), 'utf8').trim() }))
    .filter(({ text }) => text.startsWith(start));
  if (lists.length === 0) throw new Error('the router’s list of routes is not where it was');
  for (const { file, text } of lists) {
    const { routes, ...rest } = JSON.parse(text.slice(start.length).replace(/;$/, ''));
    for (const [list, isIn] of Object.entries(routeLists)) {
      const open = Object.entries<ListedRoute>(routes)
        .filter(([id, { hasDefaultExport }]) => isIn(id, hasDefaultExport))
        .map(([id, route]) => [id, shortened(id, withoutLoaded(route, rest.entry.imports))]);
      const addressOf = (whole: string) => addressOfList(whole, list as RouteList);
      // The browser fetches the list at the address that stands in it.
      const text = JSON.stringify({ ...rest, url: addressOf(rest.url), routes: Object.fromEntries(open) });
      writeFileSync(path.join(assets, addressOf(file)), `${start}${text};`);
    }
  }
}

type ListedRoute = { hasDefaultExport: boolean; imports?: string[]; css?: string[] };

/** Pages that no link fetches ahead of a click, so that nobody needs to know beforehand what they import. */
const notPrefetched = /^routes\/(enrol|links)\/|^routes\/storefront\/(book|chat|demo|layout|not-found|page-version)$/;

/** A route without the imports that every page has loaded with its entry. */
function withoutLoaded(route: ListedRoute, loaded: readonly string[]): ListedRoute {
  if (!route.imports) return route;
  return { ...route, imports: route.imports.filter((file) => !loaded.includes(file)) };
}

/** A route without its default values: every page's scripts have the list of routes. */
function shortened(id: string, route: ListedRoute): object {
  const unneeded = ([name, value]: [string, unknown]) =>
    value === false || (name === 'css' && route.css?.length === 0) || (name === 'imports' && notPrefetched.test(id));
  return Object.fromEntries(Object.entries(route).filter((entry) => !unneeded(entry)));
}

/** Compresses the assets once, at the highest level; the server sends the compressed files. */
function compressAssets(): void {
  const assets = path.join(folder, next, 'client/assets');
  for (const file of globSync('**/*.{js,css,svg}', { cwd: assets })) {
    const body = readFileSync(path.join(assets, file));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(path.join(assets, `${file}.br`), brotliCompressSync(body, { params }));
    writeFileSync(path.join(assets, `${file}.gz`), gzipSync(body, { level: 9 }));
  }
}

function bin(name: string): string {
  return path.join(projectRoot, 'node_modules/.bin', name);
}
