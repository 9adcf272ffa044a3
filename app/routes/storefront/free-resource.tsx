import { data, href, Link } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { breadcrumbs, graph } from '#app/seo/structured-data.ts';
import { button } from '#app/ui/button.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Prose } from '#app/ui/prose.tsx';
import type { Route } from './+types/free-resource';
import { NotFound } from './frame/not-found.tsx';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context, params }: Route.LoaderArgs) {
  const { texts, bySlug } = context.get(snapshotContext).current();
  const resource = texts.resources.find(({ slug }) => slug === params.resourceId);
  if (!resource) return data(null, { status: 404 });
  const { title, kind, description, minutes, body } = resource;
  return { title, kind, description, minutes, html: renderMarkdown(body), course: bySlug.get(resource.course)?.card };
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Page not found', 'There is no resource at this address.', noPage);
  const { title, description } = at.loaderData;
  return pageMeta(at, title, description, {
    machines: import.meta.env.SSR ? () => machines(title, at.location.pathname) : undefined,
  });
};

function machines(name: string, path: string) {
  const trail = [
    { name: 'Free Resources', path: href('/free-resources') },
    { name, path },
  ];
  return { data: (baseUrl: string) => graph(breadcrumbs(baseUrl, trail)) };
}

export default function FreeResource({ loaderData: resource }: Route.ComponentProps) {
  if (!resource) return <NotFound />;
  const { course } = resource;
  return (
    <article>
      <PageHead
        title={resource.title}
        lead={`${resource.kind}, ${resource.minutes} minutes to read. ${resource.description}`}
      />
      <div className="page py-12 lg:py-16">
        <Prose html={resource.html} />
        {course && (
          <aside className="no-print mt-14 max-w-[44rem] rounded-card border border-line bg-card p-6">
            <h2 className="text-xl">To go on from here</h2>
            <p className="mt-2 text-mute">
              {course.title}: {course.hours} hours, {course.level}.
            </p>
            <div className="mt-5 flex flex-wrap gap-3">
              <Link to={href('/course/:courseId', { courseId: course.slug })} className={button.primary}>
                See the course
              </Link>
              <Link to={href('/free-resources')} className={button.quiet}>
                All resources
              </Link>
            </div>
          </aside>
        )}
      </div>
    </article>
  );
}
