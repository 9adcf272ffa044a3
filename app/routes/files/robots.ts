import { href } from 'react-router';
import { baseUrlContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import type { Route } from './+types/robots';

export const handle: SharedPage = { shared: { parameters: [] } };

/**
 * Only addresses that are no pages are disallowed: a page that should not be indexed says so itself, and must be read
 * for that.
 */
export function loader({ context }: Route.LoaderArgs): Response {
  const lines = [
    'User-agent: *',
    'Disallow: /api/',
    '',
    `Sitemap: ${context.get(baseUrlContext)}${href('/sitemap.xml')}`,
  ];
  return new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
