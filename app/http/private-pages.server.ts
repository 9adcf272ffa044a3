import { createMiddleware } from 'hono/factory';
import { canonicalPath } from './canonical-address.server.ts';

/**
 * Addresses that are for one person only, with all that is under them: pages of staff, and of private links, whose token
 * is all that a person needs to open it. `/enrol` and `/quote` themselves, without a draft, are for everybody.
 */
const privateAddresses = [
  /^\/(?:account|accounts|booked|booking|claim|company|employer|enrolment|login|logout|mail|offer|place|sent|staff|unsubscribe|waiting)(?:\/|\.data$|$)/,
  /^\/(?:chat|enrol|quote)\/./,
];

/** Whether an address, in any spelling, is for one person only. */
export function isPrivate(pathname: string): boolean {
  const path = canonicalPath(pathname);
  return privateAddresses.some((form) => form.test(path));
}

/**
 * No cache keeps and no search engine lists a response for one person only: pages, their data, files, event streams,
 * errors, and redirects, whose target holds the token. Registered before everything that answers.
 */
export const keepPrivate = createMiddleware(async (c, next) => {
  await next();
  if (!isPrivate(new URL(c.req.url).pathname)) return;
  // A stream of events says besides that nothing may be packed on its way.
  if (!c.res.headers.get('Cache-Control')?.includes('no-store')) c.header('Cache-Control', 'no-store');
  c.header('X-Robots-Tag', 'noindex, nofollow');
});
