import { baseUrlContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import type { Route } from './+types/robots';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs): Response {
  const lines = [
    'User-agent: *',
    'Disallow: /sent/',
    'Disallow: /api/',
    `Sitemap: ${context.get(baseUrlContext)}/sitemap.xml`,
  ];
  return new Response(`${lines.join('\n')}\n`, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
