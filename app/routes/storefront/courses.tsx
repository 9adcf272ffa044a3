import { href, Link } from 'react-router';
import { type CataloguePage, cataloguePage } from '#app/features/catalogue/catalogue-page.ts';
import { CatalogueSection } from '#app/features/catalogue/catalogue-section.tsx';
import { heldCatalogue } from '#app/features/catalogue/held-catalogue.ts';
import { addressToKeep } from '#app/features/catalogue/schema.ts';
import { listable } from '#app/features/snapshot/listable.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { courseList, graph } from '#app/seo/structured-data.ts';
import type { Route } from './+types/courses';

export const handle: SharedPage = { shared: { parameters: ['search', 'category', 'level', 'sort', 'page'] } };

export function loader({ context, url }: Route.LoaderArgs) {
  const store = context.get(snapshotContext);
  const today = academyToday(context.get(academyContext).clock);
  return { catalogue: cataloguePage(listable(store.current(), today), store.suggester().nearest, url) };
}

/** The browser's own list answers at once, where it is held (P8). */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const catalogue = heldCatalogue.page?.(new URL(request.url));
  return catalogue ? { catalogue } : serverLoader();
}

export const meta: Route.MetaFunction = (at) => {
  const page = at.loaderData?.catalogue;
  const keep = page ? addressToKeep(page.query, page.listing.matching) : null;
  const category = page && keep ? categoryName(page) : null;
  const title = category ? `${category} courses` : 'Courses';
  return pageMeta(
    at,
    title,
    category
      ? `The academy’s courses in ${category}, with level, hours, dates and price including GST.`
      : 'Every course of the academy, by category, level and price: find the one that leads where you want to go.',
    { keep, machines: import.meta.env.SSR ? () => machines(title, page) : undefined },
  );
};

function machines(title: string, page: CataloguePage | undefined) {
  const paths = (page?.listing.cards ?? []).map(({ slug }) => href('/course/:courseId', { courseId: slug }));
  return { data: (baseUrl: string) => graph(courseList(baseUrl, title, paths)) };
}

/** The name of the chosen category or track. */
function categoryName({ categories, query }: CataloguePage): string | null {
  const options = [...categories.main, ...categories.more, ...(categories.other ? [categories.other] : [])];
  return options.find(({ value }) => value === query.category)?.label.replace('Track: ', '') ?? null;
}

export default function Courses({ loaderData }: Route.ComponentProps) {
  return (
    <section aria-labelledby="courses-title" className="page py-12 lg:py-16">
      <h1 id="courses-title" className="text-4xl lg:text-5xl">
        Courses
      </h1>
      <p className="mt-3 mb-7 max-w-prose text-mute">
        Pick a quest by what you want to be able to do next. Every price includes GST. For courses in order towards a
        role, see the{' '}
        <Link to={href('/quest-lines')} prefetch="intent" className="font-bold text-link underline underline-offset-4">
          quest lines
        </Link>
        .
      </p>
      <CatalogueSection page={loaderData.catalogue} base="/courses" />
    </section>
  );
}
