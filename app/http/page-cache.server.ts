import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { acceptedEncoding, type Bytes, type Encoding, encode, isCompressible } from './encoding.server.ts';
import { matchesTag } from './entity-tag.server.ts';

/** A rendered response that every visitor may get, with its body in each encoding once it was asked for. */
export type CachedPage = {
  /** The route's pattern, for the request log. */
  route: string;
  /** Header fields except those that depend on the encoding. */
  headers: [string, string][];
  etag: string;
  compressible: boolean;
  bodies: { identity: Bytes; br?: Bytes; gzip?: Bytes };
  /** How often it was answered from memory, and whether its brotli body has been made again as small as it gets. */
  asked: number;
  dense: boolean;
};

/** An answer made from a cached page for one request. */
export type CachedAnswer = { status: 200 | 304; headers: [string, string][]; body: Bytes | null };

type Question = { method: string; acceptEncoding: string | null | undefined; ifNoneMatch: string | null | undefined };

/** A page that is kept, or a response that is not to be kept. */
type Made = { page: CachedPage; response?: undefined } | { page?: undefined; response: Response };
type MadeOnce = Made & { body?: ArrayBuffer };
type Got = Made & { found: 'hit' | 'miss' };

export type PageCache = {
  /** The page of a key, if it is in memory. */
  peek(key: string): CachedPage | undefined;
  /**
   * The page kept under a key. Requests at the same time share one call of `make`, which returns the response to keep.
   * A response with another status than 200 goes to all of them and is not kept. Rejects when `make` does.
   */
  get(key: string, route: string, make: () => Promise<Response>): Promise<Got>;
  /** Bytes held in memory. */
  bytes(): number;
};

/** A page asked for so often is worth the smallest body. */
const denseAfter = 30;

/** Holds at most `maxBytes` of bodies; the least recently used pages are dropped first. */
export function createPageCache(maxBytes: number): PageCache {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: maxBytes,
    // Compressed bodies come later; a page is charged for them from the start.
    sizeCalculation: (page, key) => Math.ceil(1024 + key.length + 1.4 * page.bodies.identity.length),
  });
  const making = new Map<string, Promise<MadeOnce>>();

  async function makeAndKeep(key: string, route: string, make: () => Promise<Response>): Promise<MadeOnce> {
    const response = await make();
    if (response.status !== 200) return { response, body: await response.arrayBuffer() };
    const page = await keep(route, response);
    pages.set(key, page);
    return { page };
  }

  let squeezing = false;
  async function squeeze(page: CachedPage): Promise<void> {
    squeezing = true;
    try {
      page.bodies.br = await encode(page.bodies.identity, 'br', 'dense');
      page.dense = true;
    } finally {
      squeezing = false;
    }
  }

  return {
    peek(key) {
      const page = pages.get(key);
      if (page && ++page.asked >= denseAfter && page.bodies.br && !page.dense && !squeezing) void squeeze(page);
      return page;
    },
    bytes: () => pages.calculatedSize,
    async get(key, route, make) {
      const kept = pages.get(key);
      if (kept) return { page: kept, found: 'hit' };
      const begun = making.get(key) ?? makeAndKeep(key, route, make).finally(() => making.delete(key));
      making.set(key, begun);
      const { page, response, body } = await begun;
      // Each who asked gets a response of their own: a body can be read once.
      return page
        ? { page, found: 'miss' }
        : { response: new Response(body?.byteLength ? body : null, response), found: 'miss' };
    },
  };
}

async function keep(route: string, response: Response): Promise<CachedPage> {
  const identity = Buffer.from(await response.arrayBuffer());
  const headers = [...response.headers].filter(([name]) => name !== 'content-length');
  return {
    route,
    headers,
    etag: createHash('sha256').update(JSON.stringify(headers)).update(identity).digest('base64url').slice(0, 22),
    compressible: isCompressible(response.headers.get('Content-Type'), identity.length),
    bodies: { identity },
    asked: 0,
    dense: false,
  };
}

function encodingFor(page: CachedPage, acceptEncoding: Question['acceptEncoding']): Encoding {
  return page.compressible ? acceptedEncoding(acceptEncoding) : 'identity';
}

/** Makes the body in the encoding that a request wants, unless it is there already. */
export async function prepareBody(page: CachedPage, acceptEncoding: Question['acceptEncoding']): Promise<void> {
  const encoding = encodingFor(page, acceptEncoding);
  page.bodies[encoding] ??= await encode(page.bodies.identity, encoding);
}

/** The answer to a GET or HEAD (RFC 9110, 13.1.2); null while the body in the wanted encoding is still to be made. */
export function answerFrom(page: CachedPage, question: Question): CachedAnswer | null {
  const encoding = encodingFor(page, question.acceptEncoding);
  const body = page.bodies[encoding];
  if (!body) return null;
  const etag = tagOf(page, encoding, page.dense);
  const headers: [string, string][] = [...page.headers, ['etag', etag]];
  if (page.compressible) headers.push(['vary', 'Accept-Encoding']);
  // A browser that has the quick body need not fetch the dense one of the same page.
  const known = [etag, tagOf(page, encoding, false)];
  if (matchesTag(question.ifNoneMatch, known)) return { status: 304, headers, body: null };
  if (encoding !== 'identity') headers.push(['content-encoding', encoding]);
  headers.push(['content-length', String(body.length)]);
  return { status: 200, headers, body: question.method === 'HEAD' ? null : body };
}

function tagOf({ etag }: CachedPage, encoding: Encoding, dense: boolean): string {
  if (encoding === 'identity') return `"${etag}"`;
  return dense && encoding === 'br' ? `"${etag}-br-dense"` : `"${etag}-${encoding}"`;
}
