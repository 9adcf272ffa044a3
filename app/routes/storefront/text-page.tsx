import { href, Link } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { contentsOf, renderMarkdown } from '#app/ui/markdown.server.ts';
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
  const { slug, title, description, body } = page;
  return { slug, title, description, html: renderMarkdown(body), contents: contentsOf(body) };
}

export const meta: Route.MetaFunction = (at) =>
  at.loaderData ? pageMeta(at, at.loaderData.title, at.loaderData.description) : [];

export default function TextPage({ loaderData }: Route.ComponentProps) {
  const { slug, title, description, html, contents } = loaderData;
  return (
    <article>
      <PageHead title={title} lead={description}>
        {slug === 'services' && (
          <>
            <Link to={`${href('/contact')}?interest=corporate-training`} className={button.straw}>
              Tell us about your team
            </Link>
            <Link to={href('/quote')} className={button.onSatin}>
              Get a quote
            </Link>
          </>
        )}
      </PageHead>
      <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-14 py-12 lg:grid-cols-[minmax(0,44rem)_minmax(0,1fr)]">
        <Prose html={html} />
        <nav aria-label="On this page" className="no-print max-lg:hidden">
          <ul className="sticky top-6 grid gap-1 border-l-2 border-straw pl-5">
            {contents.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`} className="inline-block py-1 font-bold text-link underline-offset-4 hover:underline">
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </article>
  );
}
