import { data, href, Link, redirect } from 'react-router';
import { versionsOf } from '#app/features/site/page-versions.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { formatDays } from '#app/lib/dates.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Prose } from '#app/ui/prose.tsx';
import type { Route } from './+types/page-version';
import { NotFound } from './frame/not-found.tsx';

export const handle: SharedPage = { shared: { parameters: [] } };

/** /terms/2026-11-21 and the like: a text as it applied from that day on (P28). The current one is at its own address. */
export function loader({ context, params, pattern }: Route.LoaderArgs) {
  const slug = pattern.split('/')[0] === 'privacy' ? 'privacy' : 'terms';
  const page = context
    .get(snapshotContext)
    .current()
    .texts.pages.find((one) => one.slug === slug);
  const path = slug === 'privacy' ? href('/privacy') : href('/terms');
  const versions = page ? versionsOf(page) : [];
  const version = versions.find(({ inForceFrom }) => inForceFrom === params.version);
  if (!page || !version) return data(null, { status: 404 });
  if (version.current) throw redirect(path);
  return {
    title: page.title,
    path,
    from: version.inForceFrom,
    until: versions[versions.indexOf(version) - 1]?.inForceFrom ?? version.inForceFrom,
    html: renderMarkdown(version.body),
  };
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Page not found', 'There is no version of this text for that day.', noPage);
  const { title, from, until } = at.loaderData;
  const lead = `An earlier version, in force from ${formatDays(from, from)} until ${formatDays(until, until)}.`;
  return pageMeta(at, `${title}, ${formatDays(from, from)}`, lead, noPage);
};

export default function PageVersion({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { title, path, from, until, html } = loaderData;
  return (
    <article>
      <PageHead title={title} lead={`The version in force from ${formatDays(from, from)}`} />
      <div className="page py-12 lg:py-16">
        <p className="mb-8 max-w-prose rounded-card border border-edge bg-card p-5 font-bold">
          This version is not the current one. A newer one replaced it on {formatDays(until, until)}. It still applies
          to agreements made while it was in force.{' '}
          <Link to={path} className="text-link underline underline-offset-4">
            Read the current version
          </Link>
        </p>
        <Prose html={html} />
      </div>
    </article>
  );
}
