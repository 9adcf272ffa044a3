/** `npm run build`: makes the build that `npm start` would make, for images and for folders that are read-only later. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { projectRoot } from '#app/env.server.ts';

const folder = path.join(projectRoot, 'build');
/** Inside it, where a build is made before it takes the last one's place. */
const next = '.next';
const entry = path.join(folder, 'server/index.js');
const stamp = path.join(folder, '.sources');
/** Which files the newest build made. */
const record = '.files.json';
const sources = [
  'app/**/*',
  'server/**/*',
  'public/**/*',
  '{react-router,vite}.config.ts',
  'scripts/{build,server-threads}.ts',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * Builds unless the last build was made from the same sources; returns the server's entry file. A running program goes
 * on with the last build's files, which stay until the next build. A build that fails changes nothing.
 */
export async function buildIfNeeded(progress = (line: string) => console.log(line)): Promise<string> {
  const wanted = hashOfSources();
  const built = existsSync(entry) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (built) return entry;
  const startedAt = performance.now();
  rmSync(path.join(folder, next), { recursive: true, force: true });
  progress('Building');
  const result = spawnSync(process.execPath, [bin('react-router'), 'build', '--logLevel', 'warn'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', BUILD_FOLDER: `build/${next}` },
  });
  if (result.status !== 0) throw new Error(`the build failed\n${result.stdout}${result.stderr}`);
  compressAssets();
  rmSync(stamp, { force: true });
  replaceBuild(folder, next);
  writeFileSync(stamp, wanted);
  progress(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return entry;
}

function hashOfSources(): string {
  const files = globSync(sources, { cwd: projectRoot, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => path.join(found.parentPath, found.name))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${path.relative(projectRoot, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
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

/**
 * Moves a new build from the folder `next` inside `folder` into it, over the last one. The last build's files stay:
 * pages that were opened under it, and a program that still runs it, fetch them by their names. Those of older builds
 * are removed. Without a record of what the newest build made, all that is there is the last one.
 */
export function replaceBuild(folder: string, next: string): void {
  const place = path.join(folder, record);
  const before = filesIn(folder).filter((file) => /^(client|server)\//.test(file));
  const made = filesIn(path.join(folder, next));
  const last: string[] = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : before;
  for (const file of made) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    renameSync(path.join(folder, next, file), path.join(folder, file));
  }
  const wanted = new Set([...made, ...last]);
  for (const file of before) if (!wanted.has(file)) rmSync(path.join(folder, file));
  writeFileSync(place, JSON.stringify(made));
  rmSync(path.join(folder, next), { recursive: true });
}

/** All files of a folder, relative to it. */
function filesIn(folder: string): string[] {
  return globSync('**', { cwd: folder, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => path.relative(folder, path.join(found.parentPath, found.name)));
}

if (import.meta.main) await buildIfNeeded();
