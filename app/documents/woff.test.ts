import bricolage from '@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff?inline';
import figtree from '@fontsource/figtree/files/figtree-latin-400-normal.woff?inline';
import { expect, test } from 'vitest';
import { unpacked } from './brand-fonts.ts';

const bytesOf = (address: string) => Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');

/** The sum of a table's numbers of 32 bits, as its entry in the font has it (OpenType, Calculating Checksums). */
function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) % 2 ** 32;
  return sum;
}

test.each([
  ['Bricolage Grotesque', bricolage],
  ['Figtree', figtree],
])('an unpacked font is a whole one: %s', (_, packed) => {
  const font = bytesOf(unpacked(packed));
  expect(font.readUInt32BE(0)).toBe(0x00_01_00_00);
  const count = font.readUInt16BE(4);
  const names: string[] = [];
  for (let at = 12; at < 12 + count * 16; at += 16) {
    const [sum, offset, length] = [font.readUInt32BE(at + 4), font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)];
    const name = font.toString('latin1', at, at + 4);
    const table = Buffer.from(font.subarray(offset, offset + Math.ceil(length / 4) * 4));
    // It has a sum over the whole file in it, which its own does not count.
    if (name === 'head') table.writeUInt32BE(0, 8);
    expect([name, offset % 4, checksum(table)]).toEqual([name, 0, sum]);
    names.push(name);
  }
  expect(names).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']));
});

test('a file that is no WOFF is refused', () => {
  expect(() => unpacked('data:font/woff2;base64,d09GMgABAAA=')).toThrow('not a WOFF file');
});
