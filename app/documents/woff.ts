import { inflateSync } from 'node:zlib';

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
