/**
 * `npm run lock`: adds to package-lock.json the builds for other platforms that the registry at hand does not carry.
 * npm leaves them out when it cannot see them, and `npm ci` then calls the lock incomplete.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#app/env.server.ts';

type Entry = { optionalDependencies?: Record<string, string>; dev?: boolean };

const systems = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'openharmony'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32'];

const file = path.join(projectRoot, 'package-lock.json');
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(file, 'utf8'));
const added: string[] = [];
for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`;
    if (place in lock.packages || !/^\d/.test(version)) continue;
    lock.packages[place] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true } as Entry;
    added.push(name);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(added.length === 0 ? 'Nothing was missing.' : `Added ${added.join(', ')}.`);

/** The platform in a package's name, in npm's terms; npm fetches the package on that platform only. */
function platformOf(name: string): { cpu?: string[]; os?: string[]; libc?: string[] } {
  const words = name.split(/[^a-z0-9]+/);
  const cpu = processors.filter((word) => words.includes(word));
  const os = systems.filter((word) => words.includes(word));
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : [];
  if (words.some((word) => word.startsWith('gnu'))) libc.push('glibc');
  const fields = { cpu, os, libc };
  return Object.fromEntries(Object.entries(fields).filter(([, values]) => values.length > 0));
}
