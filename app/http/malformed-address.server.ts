import { createMiddleware } from 'hono/factory';
import { plainPage } from './plain-page.server.ts';

/** Answers 400 when the path or the query holds percent-encoding that decodes to nothing. */
export const refuseMalformedAddress = createMiddleware(async (c, next) => {
  const { pathname, search } = new URL(c.req.url);
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
