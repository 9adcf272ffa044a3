import { href } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import type { Route } from './+types/manifest';

export const handle: SharedPage = { shared: { parameters: [] } };

/** The web app manifest: name, colours and icons for the home screen of a phone. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { site } = context.get(snapshotContext).current();
  const icon = (file: string, size: number, purpose: 'any' | 'maskable') => ({
    src: href('/icon/:file', { file }),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    id: href('/'),
    name: site.name,
    short_name: 'Bowerbird',
    description: 'Courses in cybersecurity, AI, cloud and IT, with real dates and prices that include GST.',
    lang: 'en-AU',
    start_url: href('/'),
    scope: href('/'),
    display: 'browser',
    background_color: '#140f33',
    theme_color: '#140f33',
    icons: [icon('192.png', 192, 'any'), icon('512.png', 512, 'any'), icon('maskable.png', 512, 'maskable')],
  };
  return Response.json(manifest, {
    headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=86400' },
  });
}
