import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
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
  return { title: page.title, description: page.description, html: renderMarkdown(page.body) };
}

export const meta: Route.MetaFunction = (at) =>
  at.loaderData ? pageMeta(at, at.loaderData.title, at.loaderData.description) : [];

export default function TextPage({ loaderData: { title, description, html } }: Route.ComponentProps) {
  return (
    <article>
      <PageHead title={title} lead={description} />
      <div className="page py-12 lg:py-16">
        <Prose html={html} />
      </div>
    </article>
  );
}
