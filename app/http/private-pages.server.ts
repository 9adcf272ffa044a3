import { createMiddleware } from 'hono/factory';

/** For pages that are for one person only, errors and redirects included: no cache keeps them, no search lists them. */
export const keepPrivate = createMiddleware(async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex, nofollow');
});
