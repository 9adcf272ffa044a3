import { createHash } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { isForStaff } from '#app/lib/staff-page.ts';

const formAction = "form-action 'self'";
const frameSource = "frame-src 'none'";
const frameAncestors = "frame-ancestors 'none'";

/** The policy of a page that only our own pages may show in a frame. */
export const framedPolicy = (policy: string): string => policy.replace(frameAncestors, "frame-ancestors 'self'");

/** Policy of files that a browser opens as a document: nothing is allowed. */
const policyOfFiles = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every response, including those that Node's HTTP server sends by itself. */
export function fixedHeaders({ https }: { https: boolean }): Record<string, string> {
  return {
    'Content-Security-Policy': policyOfFiles,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
}

/**
 * Adds the fixed headers to every response. A page that already has a Content-Security-Policy keeps it. Forms of the
 * buyer's pages may lead to `payAt`, the origin where a card is typed in: browsers apply form-action to redirects too.
 */
export function securityHeaders(options: { https: boolean; payAt?: string | null }) {
  const fixed = Object.entries(fixedHeaders(options));
  return createMiddleware(async (c, next) => {
    await next();
    const own = c.res.headers.get('Content-Security-Policy');
    const isPage = c.res.headers.get('Content-Type')?.startsWith('text/html');
    for (const [name, value] of fixed) c.header(name, value);
    if (!isPage) return;
    // Pages for staff show previews of our pages in a frame, and any page for staff may lead to one that does.
    const frames = isForStaff(c.req.path);
    const policy = (own ?? pagePolicy([], [])).replace(frames ? frameSource : '', frames ? "frame-src 'self'" : '');
    const pays = options.payAt && c.req.path.startsWith('/enrolment/');
    c.header('Content-Security-Policy', pays ? policy.replace(formAction, `${formAction} ${options.payAt}`) : policy);
  });
}

/**
 * Removes the nonce from a rendered page and returns the page together with its policy. The policy lists, by hash,
 * exactly the inline scripts and styles that had the nonce, which are the ones we wrote. So the page is the same for
 * everyone and may be cached, and the browser refuses scripts injected through content.
 */
export function sealPage(rendered: string, nonce: string): { page: string; policy: string } {
  const mark = ` nonce="${nonce}"`;
  const hashes = { script: new Set<string>(), style: new Set<string>() };
  const marked = new RegExp(`<(script|style)\\b([^<>]*)${mark}([^>]*)>(.*?)</\\1>`, 'gs');
  for (const [, tag, before = '', after = '', content = ''] of rendered.matchAll(marked)) {
    if (!/ src=/.test(before + after)) hashes[tag as 'script' | 'style'].add(hashSource(content));
  }
  return { page: rendered.replaceAll(mark, ''), policy: pagePolicy([...hashes.script], [...hashes.style]) };
}

const hashSource = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

function pagePolicy(scripts: string[], styles: string[]): string {
  return [
    // Firefox asks this one whether a link may be fetched before it is pressed; all others are named below.
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    frameSource,
    "worker-src 'none'",
    "media-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    formAction,
    frameAncestors,
  ].join('; ');
}
