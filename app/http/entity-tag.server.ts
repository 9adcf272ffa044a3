import { createHash } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { replaceResponse } from './encoding.server.ts';

/**
 * Gives public files that are made on request (PDF, pictures, calendars) an ETag of their bytes as sent, and answers 304
 * to browsers that have them (RFC 9110, 13.1.2). Shared pages have theirs already; what never changes needs none.
 */
export const tagFiles = createMiddleware(async (c, next) => {
  await next();
  const { res } = c;
  const cacheControl = res.headers.get('Cache-Control') ?? '';
  if (c.req.method !== 'GET' || res.status !== 200 || res.body === null || res.headers.has('ETag')) return;
  if (!cacheControl.startsWith('public') || cacheControl.includes('immutable')) return;
  const body = Buffer.from(await res.arrayBuffer());
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = new Headers(res.headers);
  headers.set('ETag', tag);
  if (matchesTag(c.req.header('If-None-Match'), [tag])) {
    for (const name of ['Content-Length', 'Content-Encoding']) headers.delete(name);
    replaceResponse(c, new Response(null, { status: 304, headers }));
    return;
  }
  replaceResponse(c, new Response(body, { status: 200, headers }));
});

/** Whether an If-None-Match field names one of the tags, weak or strong. */
export function matchesTag(ifNoneMatch: string | null | undefined, tags: readonly string[]): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tags.includes(tag.trim().replace(/^W\//, '')));
}
