/** `npm run fonts`: cuts the website's fonts down to the characters that its texts use, into app/ui/fonts. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import subsetFont from 'subset-font';
import { projectRoot } from '#app/env.server.ts';

/** The characters of nearly every page: printable ASCII and the signs of our texts. */
export const commonCharacters = [
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)),
  ...'\u00a0©·×é–—‘’“”•…−',
].join('');

/** The website's fonts, and the files with all of Latin-1 that they are cut from. */
export const webFonts = [
  { file: 'figtree.woff2', from: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2' },
  {
    file: 'bricolage-grotesque.woff2',
    from: '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
  },
];

/** The folder of the files that the site's styles name first. */
export const fontFolder = path.join(projectRoot, 'app/ui/fonts');

/** A font with the common characters only; its weights and its features stay. The same bytes each time. */
export async function subsetOf(from: string): Promise<Uint8Array> {
  const whole = readFileSync(path.join(projectRoot, 'node_modules', from));
  return subsetFont(whole, commonCharacters, { targetFormat: 'woff2' });
}

if (import.meta.main) {
  mkdirSync(fontFolder, { recursive: true });
  for (const { file, from } of webFonts) {
    const font = await subsetOf(from);
    writeFileSync(path.join(fontFolder, file), font);
    console.log(`${file}: ${(font.length / 1024).toFixed(1)} KB`);
  }
}
