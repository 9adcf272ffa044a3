import { createHash } from 'node:crypto';
import { createMiddleware } from 'hono/factory';

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const inlineStyle = /<style[^>]*>([\s\S]*?)<\/style>/g;

/**
 * Headers every response carries. HTML also gets a Content-Security-Policy that names its inline scripts by their
 * hashes: nothing unsafe is allowed, and a page kept in a cache stays valid.
 */
export function securityHeaders(options: { https: boolean }) {
  return createMiddleware(async (c, next) => {
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'strict-origin-when-cross-origin');
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    c.header('Cross-Origin-Resource-Policy', 'same-origin');
    c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
    if (options.https) c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
    if (!c.res.headers.get('Content-Type')?.startsWith('text/html')) return;

    const { status, headers } = c.res;
    const html = await c.res.text();
    const withPolicy = new Headers(headers);
    withPolicy.set('Content-Security-Policy', contentSecurityPolicy(html));
    // Hono merges headers into a response that replaces another; cleared first, it takes the new one as it is.
    c.res = undefined;
    c.res = new Response(html === '' ? null : html, { status, headers: withPolicy });
  });
}

/** The policy for one HTML document. */
export function contentSecurityPolicy(html: string): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashesOf(html, inlineScript)].join(' '),
    ["style-src 'self'", ...hashesOf(html, inlineStyle)].join(' '),
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashesOf(html: string, elements: RegExp): Set<string> {
  const contents = [...html.matchAll(elements)].map(([, content = '']) => content);
  return new Set(contents.map((content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`));
}
