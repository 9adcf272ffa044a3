import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/quest-lines';
import { QuestLineCard } from './quest-line-card.tsx';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context }: Route.LoaderArgs) {
  const { questLines } = context.get(snapshotContext).current();
  return questLines.map(({ slug, title, icon, description, hours, priceCents, steps }) => ({
    slug,
    title,
    icon,
    description,
    hours,
    priceCents,
    courses: steps.map(({ course: { slug, title, level, tier } }) => ({ slug, title, level, tier })),
  }));
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Quest lines',
    'Courses in order towards a role in security, cloud, audit or AI, with the hours and prices of its courses added up.',
  );

export default function QuestLines({ loaderData: questLines }: Route.ComponentProps) {
  return (
    <>
      <PageHead
        title="Quest lines"
        lead="Courses in order towards a role. Hours and prices are the sums of their courses. You enrol in one course at a time, start at your own level, and stop when you have what you need."
      />
      <ul className="page grid grid-cols-[minmax(0,1fr)] gap-6 py-12 lg:grid-cols-2 lg:py-16">
        {questLines.map((questLine) => (
          <li key={questLine.slug}>
            <QuestLineCard questLine={questLine} />
          </li>
        ))}
      </ul>
    </>
  );
}
