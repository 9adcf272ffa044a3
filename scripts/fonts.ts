/** `npm run fonts`: cuts the website's fonts down to the characters that its texts use, into app/ui/fonts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fontFolder, subsetOf, webFonts } from './support/subset-fonts.ts';

mkdirSync(fontFolder, { recursive: true });
for (const { file, from } of webFonts) {
  const font = await subsetOf(from);
  writeFileSync(path.join(fontFolder, file), font);
  console.log(`${file}: ${(font.length / 1024).toFixed(1)} KB`);
}
