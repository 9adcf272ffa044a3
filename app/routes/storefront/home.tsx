import { catalogueContext } from '../../features/catalogue/catalogue.server.ts';
import { cataloguePage } from '../../features/catalogue/catalogue-page.server.ts';
import { CatalogueSection } from '../../features/catalogue/catalogue-section.tsx';
import { pageMeta } from '../../seo/page-meta.ts';
import type { Route } from './+types/home';

export function loader({ context, url }: Route.LoaderArgs) {
  return { catalogue: cataloguePage(context.get(catalogueContext), url) };
}

export const meta: Route.MetaFunction = () =>
  pageMeta(
    'Cybersecurity, AI and cloud training in Brisbane',
    'Courses in cybersecurity, AI, cloud and IT with real syllabuses, real dates and prices that include GST.',
  );

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <section id="courses" aria-labelledby="courses-title" className="page py-12 lg:py-18">
      <h1 id="courses-title" className="text-4xl lg:text-5xl">
        Quest board
      </h1>
      <p className="mt-3 mb-7 max-w-prose text-mute">
        Filter by what you want to be able to do next. Every price includes GST, and every badge is counted, not
        painted.
      </p>
      <CatalogueSection page={loaderData.catalogue} base="/" />
    </section>
  );
}
