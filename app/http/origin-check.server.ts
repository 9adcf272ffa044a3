import { createMiddleware } from 'hono/factory';
import { plainPage } from './plain-page.server.ts';

const fromElsewhere = /^\/(?:unsubscribe\/[0-9a-f]+|stripe\/events)$/;

/**
 * Every request that changes something must come from one of our pages. Browsers send `Sec-Fetch-Site: same-origin`
 * then. Without that header the request must have an `Origin` whose host is the request's or that of `baseUrl`, and
 * whose scheme is https, or http as long as `baseUrl` is not https. (Behind a proxy that terminates HTTPS the request
 * itself arrives by http.) With neither header it is refused. Two kinds of address also take posts from elsewhere: those of
 * unsubscribe links, because mail programs send them (RFC 8058) and the signed token in it is all that such a post needs,
 * and that of Stripe's webhook, which checks Stripe's signature.
 */
export function refuseForeignOrigin(baseUrl: string) {
  return createMiddleware(async (c, next) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) || fromElsewhere.test(c.req.path)) return next();
    const site = c.req.header('Sec-Fetch-Site');
    const hosts = [c.req.header('Host'), new URL(baseUrl).host];
    const own = site === undefined ? isOwn(c.req.header('Origin'), hosts, baseUrl) : site === 'same-origin';
    if (own) return next();
    return plainPage(
      403,
      'This form came from another site',
      'Nothing was saved. Open the form on this site and send it from there.',
    );
  });
}

function isOwn(origin: string | undefined, hosts: (string | undefined)[], baseUrl: string): boolean {
  if (!origin || !URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  const secureEnough = protocol === 'https:' || (protocol === 'http:' && !baseUrl.startsWith('https:'));
  return secureEnough && hosts.includes(host);
}
