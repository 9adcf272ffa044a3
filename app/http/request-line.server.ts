import { createMiddleware } from 'hono/factory';
import { plainPage } from './plain-page.server.ts';

/** Characters of path and query together, as sent: a search of some six hundred letters beyond ASCII, and long titles. */
const longestTarget = 4096;
/** What any address answers to; which of them may be posted to, the router says. */
const methods = 'GET, HEAD, POST, OPTIONS';

/**
 * Refuses what no page of ours asks for: other methods (405), addresses longer than any search (414), and
 * percent-encoding that decodes to nothing (400). OPTIONS is answered with the methods.
 */
export const checkRequestLine = createMiddleware(async (c, next) => {
  if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: methods });
  if (!['GET', 'HEAD', 'POST'].includes(c.req.method)) {
    const text = 'Pages here are read, and forms are sent. Nothing was changed.';
    return plainPage(405, 'That cannot be done here', text, { Allow: methods });
  }
  const { pathname, search } = new URL(c.req.url);
  if (pathname.length + search.length > longestTarget) {
    return plainPage(
      414,
      'That address is too long',
      'A search here has at most a few hundred letters. Nothing was looked up; start again with a shorter one.',
    );
  }
  if (decodes(pathname) && decodes(search.replaceAll('+', ' '))) return next();
  return plainPage(
    400,
    'That address cannot be read',
    'It holds a percent sign that is not followed by a valid code. Check the end of the address, or start again.',
  );
});

function decodes(text: string): boolean {
  try {
    // The result is used because the bundler drops a bare call, taking it for one without effect.
    return decodeURIComponent(text).length <= text.length;
  } catch {
    return false;
  }
}
