import { href } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { addDays } from '#app/lib/dates.ts';
import type { Route } from './+types/security-text';

/** How long a copy may be trusted. RFC 9116 asks for less than a year. */
const validDays = 90;

export const handle: SharedPage = { shared: { parameters: [] } };

/** `/.well-known/security.txt` (RFC 9116): whom to tell about a vulnerability, from the site's settings of this moment. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { site } = context.get(snapshotContext).current();
  const baseUrl = context.get(baseUrlContext);
  const until = addDays(academyToday(context.get(academyContext).clock), validDays);
  const lines = [
    `Contact: mailto:${site.email}`,
    `Expires: ${until}T00:00:00Z`,
    'Preferred-Languages: en',
    // The RFC allows no address without HTTPS here.
    ...(baseUrl.startsWith('https:') ? [`Canonical: ${baseUrl}${href('/.well-known/security.txt')}`] : []),
  ];
  return new Response(`${lines.join('\n')}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });
}
