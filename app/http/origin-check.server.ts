import { createMiddleware } from 'hono/factory';
import { plainPage } from './plain-page.server.ts';

/** Every changing request must come from a page of ours: by Sec-Fetch-Site, or by Origin; with neither it is refused. */
export const refuseForeignOrigin = createMiddleware(async (c, next) => {
  if (['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)) return next();
  const site = c.req.header('Sec-Fetch-Site');
  const origin = c.req.header('Origin');
  const own = site === undefined ? hostOf(origin) === c.req.header('Host') : site === 'same-origin';
  if (own) return next();
  return plainPage(
    403,
    'That did not come from this site',
    'Nothing was stored. Open the form on this site and send it from there.',
  );
});

function hostOf(origin: string | undefined): string | null {
  return origin && URL.canParse(origin) ? new URL(origin).host : null;
}
