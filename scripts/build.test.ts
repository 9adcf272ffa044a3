import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { replaceBuild } from './build.ts';
import { temporaryFolder } from './support/program.ts';

test('a build leaves the files of the last one in place, and removes those of the ones before', () => {
  const { folder, remove } = temporaryFolder();
  /** Builds files whose content is the number of the build; returns the assets that are there afterwards. */
  const build = (number: number, ...names: string[]) => {
    mkdirSync(path.join(folder, 'next/client'), { recursive: true });
    for (const name of names) writeFileSync(path.join(folder, 'next/client', name), String(number));
    replaceBuild(folder, 'next');
    return readdirSync(path.join(folder, 'client'));
  };
  expect(build(1, 'frame-1.js', 'font.woff2')).toEqual(['font.woff2', 'frame-1.js']);
  expect(build(2, 'frame-2.js', 'font.woff2')).toEqual(['font.woff2', 'frame-1.js', 'frame-2.js']);
  expect(readFileSync(path.join(folder, 'client/font.woff2'), 'utf8')).toBe('2');
  expect(build(3, 'frame-3.js', 'font.woff2')).toEqual(['font.woff2', 'frame-2.js', 'frame-3.js']);
  expect(build(4, 'frame-4.js')).toEqual(['font.woff2', 'frame-3.js', 'frame-4.js']);
  expect(build(5, 'frame-5.js')).toEqual(['frame-4.js', 'frame-5.js']);
  expect(readdirSync(folder).sort()).toEqual(['.files.json', 'client']);
  remove();
});
