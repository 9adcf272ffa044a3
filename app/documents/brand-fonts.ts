import { inflateSync } from 'node:zlib';
import bricolage from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff?inline';
import bricolageExtended from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-700-normal.woff?inline';
import vietnamese from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-vietnamese-400-normal.woff?inline';
import vietnameseBold from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-vietnamese-700-normal.woff?inline';
import figtree from '@fontsource/figtree/files/figtree-latin-400-normal.woff?inline';
import figtreeBold from '@fontsource/figtree/files/figtree-latin-700-normal.woff?inline';
import figtreeExtended from '@fontsource/figtree/files/figtree-latin-ext-400-normal.woff?inline';
import figtreeExtendedBold from '@fontsource/figtree/files/figtree-latin-ext-700-normal.woff?inline';
import { Font } from '@react-pdf/renderer';

const headerBytes = { woff: 44, sfnt: 12 };
const entryBytes = { woff: 20, sfnt: 16 };

/**
 * The font of a WOFF file as it was before it was packed (W3C WOFF 1.0): OpenType, its tables in the same order. Given
 * as it is, fontkit would unpack a table again for each glyph, which took most of the time of a document. `woff` is a
 * data address, and so is the result.
 */
export function unpacked(woff: string): string {
  const file = Buffer.from(woff.slice(woff.indexOf(',') + 1), 'base64');
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file');
  const count = file.readUInt16BE(12);
  const head = Buffer.alloc(headerBytes.sfnt + count * entryBytes.sfnt);
  // The flavour: TrueType or CFF.
  file.copy(head, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  [count, 16 * 2 ** power, power, 16 * (count - 2 ** power)].forEach((value, at) => {
    head.writeUInt16BE(value, 4 + at * 2);
  });
  let end = head.length;
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = headerBytes.woff + at * entryBytes.woff;
    const [offset, packed, length] = [4, 8, 12].map((place) => file.readUInt32BE(entry + place));
    if (offset === undefined || packed === undefined || length === undefined) throw new Error('a WOFF file cut off');
    const stored = file.subarray(offset, offset + packed);
    const own = headerBytes.sfnt + at * entryBytes.sfnt;
    // Tag, checksum, place and length.
    file.copy(head, own, entry, entry + 4);
    file.copy(head, own + 4, entry + 16, entry + 20);
    head.writeUInt32BE(end, own + 8);
    head.writeUInt32BE(length, own + 12);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    end += length + padding.length;
    return Buffer.concat([packed < length ? inflateSync(stored) : stored, padding]);
  });
  return `data:font/ttf;base64,${Buffer.concat([head, ...tables]).toString('base64')}`;
}

const register = (family: string, normal: string, bold: string) =>
  Font.register({
    family,
    fonts: [
      { src: unpacked(normal), fontWeight: 400 },
      { src: unpacked(bold), fontWeight: 700 },
    ],
  });

register('Figtree', figtree, figtreeBold);
register('Figtree Extended', figtreeExtended, figtreeExtendedBold);
register('Bricolage', bricolage, bricolage);
register('Bricolage Extended', bricolageExtended, bricolageExtended);
register('Vietnamese', vietnamese, vietnameseBold);
// Words stay whole: names and titles are never hyphenated (docs/brand.md).
Font.registerHyphenationCallback((word) => [word]);

/** Families for text. Figtree has no Vietnamese letters, so Bricolage Grotesque's are used for them. */
export const textFont = ['Figtree', 'Figtree Extended', 'Vietnamese'];

/** Families for headings and numbers that matter, always bold. */
export const displayFont = ['Bricolage', 'Bricolage Extended', 'Vietnamese'];
