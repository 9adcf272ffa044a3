import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { commonCharacters, fontFolder, subsetOf, webFonts } from './support/subset-fonts.ts';

test.each(webFonts)('$file is what npm run fonts makes', async ({ file, from }) => {
  const kept = readFileSync(path.join(fontFolder, file));
  expect(kept.equals(await subsetOf(from))).toBe(true);
});

test('the styles name the subsets for the common characters, and only for them', () => {
  const styles = readFileSync(path.join(projectRoot, 'app/app.css'), 'utf8');
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
