import { href, Link } from 'react-router';
import { versionsOf } from '#app/features/site/page-versions.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { formatDays } from '#app/lib/dates.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Prose } from '#app/ui/prose.tsx';
import type { Route } from './+types/text-page';

export const handle: SharedPage = { shared: { parameters: [] } };

/** /services, /help, /privacy and /terms: one text each, by the name of the route (P21). */
export function loader({ context, pattern }: Route.LoaderArgs) {
  const page = context
    .get(snapshotContext)
    .current()
    .texts.pages.find((one) => one.slug === pattern);
  if (!page) throw new Error(`content/pages.yaml has no page "${pattern}"`);
  return { title: page.title, description: page.description, html: renderMarkdown(page.body), versions: daysOf(page) };
}

/** From when each version applies, the current one first, and where an earlier one is read. */
function daysOf(page: Parameters<typeof versionsOf>[0]) {
  return versionsOf(page).map(({ inForceFrom: version, current }) => {
    const path = page.slug === 'privacy' ? '/privacy/:version' : '/terms/:version';
    return { version, path: current ? null : href(path, { version }) };
  });
}

export const meta: Route.MetaFunction = (at) =>
  at.loaderData ? pageMeta(at, at.loaderData.title, at.loaderData.description) : [];

export default function TextPage({ loaderData }: Route.ComponentProps) {
  return (
    <article>
      <PageHead title={loaderData.title} lead={loaderData.description} />
      <div className="page py-12 lg:py-16">
        <Prose html={loaderData.html} />
        <Versions versions={loaderData.versions} />
      </div>
    </article>
  );
}

function Versions({ versions }: { versions: Route.ComponentProps['loaderData']['versions'] }) {
  const [current, ...earlier] = versions;
  if (!current) return null;
  return (
    <section className="mt-12 max-w-prose border-t border-line pt-6 text-mute">
      <p>This version is in force from {formatDays(current.version, current.version)}.</p>
      {earlier.length > 0 && (
        <>
          <h2 className="mt-4 text-xl text-ink">Earlier versions</h2>
          <ul className="mt-2 grid gap-1">
            {earlier.map(({ version, path }) => (
              <li key={version}>
                {path && (
                  <Link to={path} className="inline-block py-1 font-bold text-link underline underline-offset-4">
                    In force from {formatDays(version, version)}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
