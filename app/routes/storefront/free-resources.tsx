import { href, Link } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/free-resources';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const { texts } = context.get(snapshotContext).current();
  return texts.resources.map(({ slug, title, kind, description, minutes }) => ({
    slug,
    title,
    kind,
    description,
    minutes,
  }));
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Free Resources',
    'Study guides, cheat sheets and checklists from our own classrooms, to read here or print. No email address needed.',
  );

export default function FreeResources({ loaderData: resources }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Free Resources"
        lead="Study guides, cheat sheets and checklists from our own classrooms. Read them here or print them; we ask for nothing in return."
      />
      <ul className="page grid gap-6 py-12 md:grid-cols-2 lg:grid-cols-3 lg:py-16">
        {resources.map(({ slug, title, kind, description, minutes }) => (
          <li key={slug}>
            <article className="relative flex h-full flex-col rounded-card border border-line bg-card p-6 focus-within:border-edge hover:border-edge">
              <p className="text-sm font-bold text-link">{kind}</p>
              <h2 className="mt-2 text-[1.375rem]">
                <Link
                  to={href('/free-resources/:resourceId', { resourceId: slug })}
                  prefetch="intent"
                  className="after:absolute after:inset-0 after:rounded-card"
                >
                  {title}
                </Link>
              </h2>
              <p className="mt-2 mb-5 text-mute">{description}</p>
              <p className="mt-auto text-sm text-mute">{minutes} minutes to read</p>
            </article>
          </li>
        ))}
      </ul>
    </>
  );
}
