import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { torture } from '#tests/support/torture.ts';

type Pattern = { at: string; source: string; flags: string };
type Text = (length: number) => string;

torture('no pattern takes longer than in proportion to the text', () => {
  const files = globSync('{app,server}/**/*.{ts,tsx}', { cwd: projectRoot });
  const patterns = files.filter((file) => !/\.test\.tsx?$/.test(file)).flatMap(patternsIn);
  expect(patterns.length).toBeGreaterThan(400);
  expect(patterns.filter((pattern) => textsFor(pattern).some((text) => growsFaster(pattern, text)))).toEqual([]);
});

test('a pattern that begins anew at each space is found', () => {
  const pattern = { at: 'here', source: '\\s+$', flags: '' };
  expect(textsFor(pattern).some((text) => growsFaster(pattern, text))).toBe(true);
});

function patternsIn(file: string): Pattern[] {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  const found: Pattern[] = [];
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const at = `${file}:${text.slice(0, node.start).split('\n').length}`;
      found.push({ at, source: node.regex.pattern, flags: node.regex.flags.replace('g', '') });
    },
  });
  visitor.visit(parseSync(file, text).program);
  return found;
}

const commonlyRepeated = [...' \n\ta0A-.,/<"\'([*_#=:@é&', '\r\n', ' \n'];
const notLiteral = /\\[dwsbSWDB]|\\p\{[^}]*\}|\(\?<?[:=!]|\(\?<\w+>/g;

/** Long texts that repeat a character or a word of the pattern, after a word of it, with and without an end that fails. */
function textsFor({ source }: Pattern): Text[] {
  const literal = source.replaceAll(notLiteral, ' ').replaceAll(/\\(.)/g, '$1');
  const words = [...new Set(literal.match(/[\p{L}\p{N}_<>"'=:@#&!/;,-]+/gu))].slice(0, 8);
  const repeated = new Set([...commonlyRepeated, ...words, ...words.map((word) => `${word} `)]);
  return ['', ...words.slice(0, 3)].flatMap((before) =>
    [...repeated].flatMap((part) =>
      ['', '\0'].map((after) => (length: number) => before + part.repeat(length / part.length) + after),
    ),
  );
}

/** Four times the text takes about 16 times as long where a pattern is quadratic. Processor time, so no load matters. */
function growsFaster(pattern: Pattern, text: Text): boolean {
  const [short, long] = [text(4_000), text(16_000)];
  if (microsecondsOf(pattern, short) < 1_000) return false;
  const least = (one: string) => Math.min(...[1, 2, 3].map(() => microsecondsOf(pattern, one)));
  return least(long) > 8 * Math.max(least(short), 500);
}

function microsecondsOf({ source, flags }: Pattern, text: string): number {
  const began = process.threadCpuUsage();
  text.replaceAll(new RegExp(source, `${flags}g`), '');
  return process.threadCpuUsage(began).user;
}
