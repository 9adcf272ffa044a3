import { href, Link } from 'react-router';
import type { CourseCard, QuestLine } from '#app/features/catalogue/catalogue.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Medal } from '#app/ui/medal.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/quest-lines';

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

type QuestLineSummary = Omit<QuestLine, 'steps' | 'role' | 'xp' | 'certifications'> & {
  courses: Pick<CourseCard, 'slug' | 'title' | 'level' | 'tier'>[];
};

/** One quest line in a list: its steps in order and their sums. The whole card leads to its page. */
function QuestLineCard({ questLine }: { questLine: QuestLineSummary }) {
  const { slug, title, icon, description, courses, hours, priceCents } = questLine;
  return (
    <article className="relative flex h-full flex-col rounded-card border border-line bg-card p-5 focus-within:border-edge hover:border-edge sm:p-7">
      <div className="flex flex-wrap items-center gap-3.5">
        <Icon name={icon} className="size-9 shrink-0 text-link" />
        <h2 className="min-w-0 grow basis-40 text-2xl">
          <Link
            to={href('/quest-lines/:questLineId', { questLineId: slug })}
            prefetch="intent"
            className="after:absolute after:inset-0 after:rounded-card"
          >
            {title}
          </Link>
        </h2>
      </div>
      <p className="mt-3 max-w-prose text-mute">{description}</p>
      <ol className="mt-5 mb-6 grid gap-2.5">
        {courses.map((course, at) => (
          <li key={course.slug} className="grid grid-cols-[1.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2">
            <span className="tabular font-bold text-mute">
              <span className="sr-only">Step </span>
              {at + 1}
            </span>
            <span className="font-semibold">
              <Unbroken text={course.title} />
            </span>
            <span className="flex items-center gap-1.5 text-sm text-mute">
              <Medal tier={course.tier} />
              <span className="max-sm:sr-only">{course.level}</span>
            </span>
          </li>
        ))}
      </ol>
      <dl className="tabular mt-auto flex flex-wrap gap-x-8 gap-y-3 border-t border-line pt-4">
        <Sum label="Quests">{String(courses.length)}</Sum>
        <Sum label="Hours in all">{formatCount(hours)}</Sum>
        <Sum label="Sum of prices, incl. GST">{formatMoney(priceCents)}</Sum>
      </dl>
    </article>
  );
}

function Sum({ label, children }: { label: string; children: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-sm text-mute">{label}</dt>
      <dd className="font-display text-xl font-bold">{children}</dd>
    </div>
  );
}
