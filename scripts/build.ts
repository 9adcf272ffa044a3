import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { projectRoot } from '#app/env.server.ts';

const entry = path.join(projectRoot, 'build/server/index.js');
const stamp = path.join(projectRoot, 'build/.sources');
const sources = [
  'app/**/*',
  'server/**/*',
  'public/**/*',
  '{react-router,vite}.config.ts',
  'package-lock.json',
  'tsconfig.json',
];

/** Builds unless the last build was made from the same sources; returns the server's entry file. */
export async function buildIfNeeded(): Promise<string> {
  const wanted = hashOfSources();
  const built = existsSync(entry) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (built) return entry;
  const startedAt = performance.now();
  rmSync(stamp, { force: true });
  console.log('Building');
  const result = spawnSync(process.execPath, [bin('react-router'), 'build', '--logLevel', 'warn'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (result.status !== 0) throw new Error(`the build failed\n${result.stdout}${result.stderr}`);
  compressAssets();
  writeFileSync(stamp, wanted);
  console.log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return entry;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: projectRoot, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => path.join(found.parentPath, found.name))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort()) {
    hash.update(`${path.relative(projectRoot, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Compresses the assets once, at the highest level; the server sends the compressed files. */
function compressAssets(): void {
  const folder = path.join(projectRoot, 'build/client/assets');
  for (const file of globSync('**/*.{js,css,svg}', { cwd: folder })) {
    const body = readFileSync(path.join(folder, file));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    writeFileSync(path.join(folder, `${file}.br`), brotliCompressSync(body, { params }));
    writeFileSync(path.join(folder, `${file}.gz`), gzipSync(body, { level: 9 }));
  }
}

function bin(name: string): string {
  return path.join(projectRoot, 'node_modules/.bin', name);
}
