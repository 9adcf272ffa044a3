/**
 * `npm run shots:compare -- BEFORE AFTER`: compares two folders of screenshots pixel by pixel, lists those that differ
 * with the share of differing pixels, writes an image of each difference to AFTER/differences, and exits with 1 when
 * there is any.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const [before, after] = process.argv.slice(2);
if (!before || !after) {
  console.error('npm run shots:compare -- BEFORE AFTER');
  process.exit(2);
}
const pictures = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.png'));
const [old, fresh] = [pictures(before), new Set(pictures(after))];
const differences = path.join(after, 'differences');
mkdirSync(differences, { recursive: true });

let differing = 0;
for (const name of old) {
  const verdict = fresh.has(name) ? compare(name, before, after) : 'is missing';
  if (verdict === null) continue;
  differing++;
  console.log(`${name}: ${verdict}`);
}
console.log(`${old.length} pictures, ${old.length - differing} the same, ${differing} different`);
process.exitCode = differing > 0 ? 1 : 0;

/** Describes the difference between two images; null when there is none. */
function compare(name: string, oldFolder: string, newFolder: string): string | null {
  const [one, other] = [oldFolder, newFolder].map((folder) => PNG.sync.read(readFileSync(path.join(folder, name))));
  if (!one || !other) return 'cannot be read';
  if (one.width !== other.width || one.height !== other.height) {
    return `${one.width} × ${one.height} became ${other.width} × ${other.height}`;
  }
  const drawn = new PNG({ width: one.width, height: one.height });
  const count = pixelmatch(one.data, other.data, drawn.data, one.width, one.height, { threshold: 0.05 });
  if (count === 0) return null;
  writeFileSync(path.join(differences, name), PNG.sync.write(drawn));
  return `${count} pixels differ (${((count / (one.width * one.height)) * 100).toFixed(3)}%)`;
}
