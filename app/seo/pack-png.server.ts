import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const deflated = promisify(deflate);
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Filter "Up" (PNG, 9.2): each byte less the one above it, which suits pictures of smooth shades. */
const up = 2;

/**
 * A PNG of opaque pixels, four bytes each (RGBA), without their alpha and without loss: a little over half the size that
 * the drawing library packs it in. Packing runs outside the event loop's thread.
 */
export async function packPng(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const row = width * 3;
  const filtered = new Uint8Array((row + 1) * height);
  for (let y = 0, at = 0; y < height; y++) {
    filtered[at++] = up;
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        const above = y > 0 ? (pixels[from + channel - width * 4] ?? 0) : 0;
        filtered[at++] = (pixels[from + channel] ?? 0) - above;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a channel, true colour without alpha.
  header.set([8, 2], 8);
  const body = await deflated(filtered, { level: 9 });
  return new Uint8Array(
    Buffer.concat([Buffer.from(signature), chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}
