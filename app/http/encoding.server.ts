import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';

/** Bytes that a Response takes. */
export type Bytes = Buffer<ArrayBuffer>;
export type Encoding = 'br' | 'gzip' | 'identity';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** The highest level takes thirty times as long and saves an eighth. */
const brotliLevels = { quick: 5, dense: 11 };

/** Below this many bytes compression saves less than a packet. */
const smallest = 1024;

const compressible =
  /^(text\/(?!event-stream)|image\/svg\+xml|application\/(json|ld\+json|manifest\+json|xml|atom\+xml))/;

export function isCompressible(contentType: string | null, bytes: number): boolean {
  return bytes >= smallest && compressible.test(contentType ?? '');
}

/** The best encoding that a client accepts (RFC 9110, 12.5.3), by its Accept-Encoding header. */
export function acceptedEncoding(header: string | null | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const [br, gz] = [weightOf('br'), weightOf('gzip')];
  if (br > 0 && br >= gz) return 'br';
  return gz > 0 ? 'gzip' : 'identity';
}

/** `dense` is for bodies that are sent many times: a page takes it about half a second of one core. */
export async function encode(
  body: Bytes,
  encoding: Encoding,
  effort: keyof typeof brotliLevels = 'quick',
): Promise<Bytes> {
  if (encoding === 'br') {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    return brotli(body, {
      params: { [BROTLI_PARAM_QUALITY]: brotliLevels[effort], [BROTLI_PARAM_SIZE_HINT]: body.length },
    });
  }
  return encoding === 'gzip' ? gzipped(body) : body;
}

/**
 * Compresses responses that are not compressed yet, where the client accepts it and it is worth it. All that could be
 * compressed say that they vary with the encoding, the smallest and the uncompressed too: caches rely on it.
 */
export const compressBodies = createMiddleware(async (c, next) => {
  await next();
  const { res } = c;
  if (res.headers.has('Content-Encoding') || !compressible.test(res.headers.get('Content-Type') ?? '')) return;
  const headers = new Headers(res.headers);
  if (!headers.get('Vary')?.includes('Accept-Encoding')) headers.append('Vary', 'Accept-Encoding');
  const encoding = acceptedEncoding(c.req.header('Accept-Encoding'));
  if (res.body === null || encoding === 'identity') {
    replaceResponse(c, new Response(res.body, { status: res.status, headers }));
    return;
  }
  const body = Buffer.from(await res.arrayBuffer());
  const encoded = body.length < smallest ? body : await encode(body, encoding);
  headers.delete('Content-Length');
  if (encoded !== body) headers.set('Content-Encoding', encoding);
  replaceResponse(c, new Response(encoded, { status: res.status, headers }));
});

/** Puts another response in place of one, without what Hono would carry over from the first. */
export function replaceResponse(c: Context, response: Response): void {
  c.res = undefined;
  c.res = response;
}
