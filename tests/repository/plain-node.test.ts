import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';

const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file] = /\bnode (scripts\/[\w/-]+\.ts)\b/.exec(line) ?? [];
  return file ? [[name, file] as const] : [];
});

// Node strips types from .ts files and refuses .tsx; only the build reads those.
test.each(commands)('npm run %s begins without the build: %s reaches no .tsx file', (_name, file) => {
  const cameFrom = new Map<string, string | null>([[file, null]]);
  for (const importing of cameFrom.keys()) {
    for (const imported of valueImports(importing)) if (!cameFrom.has(imported)) cameFrom.set(imported, importing);
  }
  const refused = [...cameFrom.keys()].find((one) => one.endsWith('.tsx'));
  expect(wayTo(refused ?? null, cameFrom)).toEqual([]);
});

test('the commands of package.json are found', () => {
  expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'privacy', 'content', 'staff']));
});

/** The files whose code an import runs: not those of `import type`, and not those that are imported later on demand. */
function valueImports(file: string): string[] {
  if (file.endsWith('.tsx')) return [];
  const source = readFileSync(path.join(projectRoot, file), 'utf8');
  return [...source.matchAll(/^(?:import|export) (?!type\b)(?:[^;']*? from )?'([^'\n]+)'/gm)].flatMap(
    ([, specifier = '']) => {
      const imported = specifier.startsWith('#')
        ? specifier.slice(1)
        : path.posix.join(path.posix.dirname(file), specifier);
      const isOurs = /^[#.]/.test(specifier) && existsSync(path.join(projectRoot, imported));
      return isOurs ? [imported] : [];
    },
  );
}

/** The chain of imports from the command to a file. */
function wayTo(file: string | null, cameFrom: ReadonlyMap<string, string | null>): string[] {
  return file === null ? [] : [...wayTo(cameFrom.get(file) ?? null, cameFrom), file];
}
