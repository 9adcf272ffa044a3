/** A favicon.ico that holds one square PNG of `size` pixels, at most 255, as every browser since 2007 reads it. */
export function iconFile(png: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(22);
  // An icon with one picture: its sizes, one plane, 32 bits a pixel, its bytes and where they begin.
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([size, size], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.byteLength, 14);
  head.writeUInt32LE(head.length, 18);
  return new Uint8Array(Buffer.concat([head, png]));
}
