import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import subsetFont from 'subset-font';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { commonCharacters, fontFolder, subsetOf, webFonts } from '#scripts/fonts.ts';

const styles = readFileSync(path.join(projectRoot, 'app/app.css'), 'utf8');

test.each(webFonts)('$file is what npm run fonts makes', async ({ file, from }) => {
  const kept = readFileSync(path.join(fontFolder, file));
  expect(kept.equals(await subsetOf(from))).toBe(true);
});

test('the styles name the subsets for the common characters, and only for them', () => {
  const faces = styles.match(/@font-face \{[^}]*\.\/ui\/fonts\/[^}]*\}/g) ?? [];
  expect(faces).toHaveLength(webFonts.length);
  const wanted = [...commonCharacters].map((character) => character.charCodeAt(0)).sort((a, b) => a - b);
  for (const face of faces) {
    const ranges = /unicode-range: ([^;]*);/.exec(face)?.[1]?.split(', ') ?? [];
    const named = ranges.flatMap((range) => {
      const [from = '', to = from] = range.replace('U+', '').split('-');
      const first = Number.parseInt(from, 16);
      return Array.from({ length: Number.parseInt(to, 16) - first + 1 }, (_, at) => first + at);
    });
    expect(named).toEqual(wanted);
  }
});

test('the texts of courses need no other characters', () => {
  const others = new Set<string>();
  for (const file of globSync('content/**/*.{yaml,md}', { cwd: projectRoot })) {
    if (file.endsWith('hero-slides.yaml')) continue;
    for (const character of readFileSync(path.join(projectRoot, file), 'utf8')) {
      if (character !== '\n' && !commonCharacters.includes(character)) others.add(`${file}: ${character}`);
    }
  }
  expect([...others]).toEqual([]);
});

test.each([
  ['Figtree', 'figtree.woff2', ['400', '600', '700']],
  ['Bricolage', 'bricolage-grotesque.woff2', ['700']],
])('what stands until %s is there has its height, and a face for each weight in use', async (name, file, weights) => {
  const { ascent, descent } = await heightsOf(file);
  const faces = [...styles.matchAll(new RegExp(`font-family: "${name} Fallback( Android)?";([^}]*)`, 'g'))];
  // A bold that the browser makes of a regular face is narrower than ours.
  const own = faces.filter(([, android]) => !android).map(([, , face = '']) => /font-weight: ([^;]*)/.exec(face)?.[1]);
  for (const weight of weights) expect([weight, own.some((range) => includes(range, weight))]).toEqual([weight, true]);
  expect(faces.length).toBe(own.length + 1);
  for (const [, , face = ''] of faces) {
    const share = (of: string) => Number(new RegExp(`${of}: ([\\d.]+)%`).exec(face)?.[1]) / 100;
    // Browsers multiply the heights by the size: the outcome is that of our font, to a tenth of a percent.
    expect(share('ascent-override') * share('size-adjust')).toBeCloseTo(ascent, 2);
    expect(share('descent-override') * share('size-adjust')).toBeCloseTo(descent, 2);
    expect(share('line-gap-override')).toBe(0);
  }
});

function includes(range = '400', weight: string): boolean {
  const [from, to = from] = range.split(' ').map(Number);
  return from !== undefined && to !== undefined && Number(weight) >= from && Number(weight) <= to;
}

/** Above and below the line, as shares of the size: the tables `head` and `hhea` of a font file. */
async function heightsOf(file: string): Promise<{ ascent: number; descent: number }> {
  const font = await subsetFont(readFileSync(path.join(fontFolder, file)), 'a', { targetFormat: 'truetype' });
  const bytes = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const tables = new Map<string, number>();
  for (let at = 12; at < 12 + 16 * bytes.getUint16(4); at += 16) {
    const tag = String.fromCharCode(...font.subarray(at, at + 4));
    tables.set(tag, bytes.getUint32(at + 8));
  }
  const unit = bytes.getUint16((tables.get('head') ?? 0) + 18);
  const hhea = tables.get('hhea') ?? 0;
  return { ascent: bytes.getInt16(hhea + 4) / unit, descent: -bytes.getInt16(hhea + 6) / unit };
}
