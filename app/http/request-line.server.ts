import { createMiddleware } from 'hono/factory';
import { plainPage } from './plain-page.server.ts';

/**
 * Longest path and query together, in characters as sent: as long as the router's question for the routes of a page's
 * links. A search of 800 non-ASCII letters fits.
 */
const longestTarget = 7680;
/** The methods allowed at any address; the router decides which addresses take a POST. */
const methods = 'GET, HEAD, POST, OPTIONS';

/**
 * Refuses requests that none of our pages makes: other methods (405), addresses longer than any search (414), and
 * invalid percent-encoding (400) and NUL in the path, which no database takes (404). OPTIONS is answered with the allowed methods.
 */
export const checkRequestLine = createMiddleware(async (c, next) => {
  if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: methods });
  if (!['GET', 'HEAD', 'POST'].includes(c.req.method)) {
    const text = 'This page cannot do that. Nothing was changed.';
    return plainPage(405, 'That cannot be done here', text, { Allow: methods });
  }
  const { pathname, search } = new URL(c.req.url);
  if (pathname.length + search.length > longestTarget) {
    return plainPage(
      414,
      'That address is too long',
      'A search can have at most a few hundred letters. Please try a shorter one.',
    );
  }
  if (pathname.includes('%00')) {
    return plainPage(404, 'There is no such page', 'The address has a character that we do not use.');
  }
  if (decodes(pathname) && decodes(search.replaceAll('+', ' '))) return next();
  return plainPage(
    400,
    'We cannot read that address',
    'It has a percent sign without a valid code after it. Check the end of the address, or start again from the home page.',
  );
});

function decodes(text: string): boolean {
  try {
    // The result is used because the bundler would drop a call whose result is unused as free of side effects.
    return decodeURIComponent(text).length <= text.length;
  } catch {
    return false;
  }
}
