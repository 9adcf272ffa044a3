import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isLoopback } from './client-address.server.ts';

/** Header fields that proxies and networks for delivery add. */
const addedByProxies =
  /^(via|forwarded|x-forwarded(-.+)?|x-original-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cdn-.+|cf-.+|fly-.+|fastly-.+)$/i;

const cookie = 'local-mail';

/** Decides which requests may read the mail that is written to files. */
export type LocalReader = {
  /** Opens /mail once, in whichever browser follows it first. Valid until the program stops. */
  path: string;
  /** Whether this request may read it. */
  mayRead(c: Context): boolean;
  /** Answers the link: leads to /mail and lets this browser read from now on; null when it was used or is wrong. */
  open(c: Context, key: string): Response | null;
};

/**
 * Mail in files holds codes and links that sign in, so only a person at this computer may read it, or one with the link
 * that the program prints at its start. A request is from this computer when its connection is, it names this computer
 * as the host, and no proxy left a trace in it. The program does not notice a proxy that hides all traces: its operator
 * sets BASE_URL too, and then only the link opens the page.
 */
export function localReader(
  { baseUrl, written }: { baseUrl: string; written: boolean },
  peerAddress: (c: Context) => string,
): LocalReader {
  const secret = () => randomBytes(16).toString('hex');
  let unused: string | null = secret();
  const path = `/mail/open/${unused}`;
  const cookieValue = secret();

  function isDirect(c: Context): boolean {
    const host = (c.req.header('Host') ?? new URL(c.req.url).host).replace(/:\d+$/, '');
    const passedOn = Object.keys(c.req.header()).some((name) => addedByProxies.test(name));
    // nginx speaks HTTP/1.0 unless told otherwise; browsers never do.
    return isLoopback(peerAddress(c)) && isLoopback(host) && !passedOn && c.env?.incoming?.httpVersion !== '1.0';
  }

  return {
    path,
    mayRead(c) {
      if (!written) return false;
      return (isLoopback(new URL(baseUrl).hostname) && isDirect(c)) || same(getCookie(c, cookie) ?? '', cookieValue);
    },
    open(c, key) {
      // A preview of the link is not a visit.
      if (!written || unused === null || c.req.method !== 'GET' || !same(key, unused)) return null;
      unused = null;
      setCookie(c, cookie, cookieValue, {
        path: '/mail',
        httpOnly: true,
        sameSite: 'Strict',
        secure: baseUrl.startsWith('https:'),
      });
      c.header('Cache-Control', 'no-store');
      return c.redirect('/mail', 303);
    },
  };
}

function same(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
