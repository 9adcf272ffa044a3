import { createMiddleware } from 'hono/factory';
import type { HttpEnv } from './log.server.ts';

// A letter, a digit or one of -._~ that is percent-encoded needlessly.
const encodedPlain = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;
// A reference or number follows, which is case-sensitive.
const beforeReference =
  /^\/(?:sent|booked|(?:account\/)?certificates|staff\/(?:bookings|certificates|enquiries|enrolments))\//i;
const dataSuffix = /(?:\/_)?\.data$/;

/**
 * The canonical form of a path: lower case, no doubled or trailing slash, no needless percent-encoding
 * (RFC 3986, 6.2.2.2). Always begins with exactly one slash, so it never names another host.
 */
export function canonicalPath(pathname: string): string {
  const path = pathname.replaceAll(encodedPlain, decodeURIComponent).replaceAll(/[/\\]+/g, '/');
  const [prefix] = beforeReference.exec(path) ?? [path];
  const lower = lowerCase(prefix) + path.slice(prefix.length);
  const page = lower.replace(dataSuffix, '').replace(/\/$/, '');
  // The router requests a page's data at the page's path plus `.data`; for the home page at `/_.data`.
  if (dataSuffix.test(lower)) return page === '' ? '/_.data' : `${page}.data`;
  return page === '' ? '/' : page;
}

/** Leaves the hexadecimal digits of percent-encoded bytes as they are. */
function lowerCase(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}|[A-Z]+/gi, (part) => (part.startsWith('%') ? part : part.toLowerCase()));
}

/** Redirects every other spelling of an address to the canonical one; keeps the query and the method. */
export const redirectToCanonical = createMiddleware<HttpEnv>(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
  const canonical = canonicalPath(pathname);
  if (canonical === pathname) return next();
  c.get('info').route = 'redirect';
  return c.body(null, 308, { Location: canonical + search, 'Cache-Control': 'public, max-age=3600' });
});
