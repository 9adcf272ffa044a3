import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from './program.ts';
import { hashOfFiles } from './same-files.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);
const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')];
const memory = path.join(folder, 'memory');
const hash = () => hashOfFiles([one, two], folder, memory);
writeFileSync(one, 'aaaa');
writeFileSync(two, 'b');

test('files that nobody touched have the hash that is remembered, without being read', () => {
  const first = hash();
  expect(hash()).toBe(first);
  const [state] = readFileSync(memory, 'utf8').split(' ');
  writeFileSync(memory, `${state} ${'0'.repeat(64)}`);
  expect(hash()).toBe('0'.repeat(64));
});

test('a change of the same length that claims the old time, and another file of the name, are seen', () => {
  const past = new Date('2025-09-08T09:00:00Z');
  utimesSync(one, past, past);
  const before = hash();
  writeFileSync(one, 'AAAA');
  utimesSync(one, past, past);
  const after = hash();
  expect(after).not.toBe(before);
  const other = path.join(folder, 'other');
  writeFileSync(other, 'aaaa');
  renameSync(other, one);
  expect(hash()).toBe(before);
});

test('a memory that is cut off, or cannot be written, only means reading', () => {
  const right = hash();
  writeFileSync(memory, readFileSync(memory, 'utf8').slice(0, -1));
  expect(hash()).toBe(right);
  const busy = path.join(folder, 'busy');
  mkdirSync(busy);
  expect(hashOfFiles([one, two], folder, busy)).toBe(right);
});
