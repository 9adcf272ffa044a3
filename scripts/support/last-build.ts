import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const record = '.files.json';

/**
 * Moves a new build from the folder `next` inside `folder` into it, over the last one. The last build's files stay:
 * pages that were opened under it, and a program that still runs it, fetch them by their names. Those of older builds
 * are removed. `folder` records which files the newest build made; without a record all that is there is the last one.
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
