import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptedEncoding, encode, isCompressible } from './encoding.server.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5, BR;q=0.1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity', 'identity'],
  ['br;q=nonsense, gzip', 'gzip'],
])('Accept-Encoding %s is answered with %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});

test('an encoded answer decodes to the same bytes', async () => {
  const body = Buffer.from('AU$2,199.50 incl. GST – quest '.repeat(100));
  expect(brotliDecompressSync(await encode(body, 'br')).equals(body)).toBe(true);
  expect(gunzipSync(await encode(body, 'gzip')).equals(body)).toBe(true);
  expect(await encode(body, 'identity')).toBe(body);
});

test.each([
  ['text/html; charset=utf-8', 5000, true],
  ['image/svg+xml', 5000, true],
  ['application/json', 5000, true],
  ['text/html', 200, false],
  ['image/png', 5000, false],
  ['application/pdf', 5000, false],
  ['text/event-stream', 5000, false],
  [null, 5000, false],
])('%s of %i bytes: compressed %s', (type, bytes, compressed) => {
  expect(isCompressible(type, bytes)).toBe(compressed);
});
