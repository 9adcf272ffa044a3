import { href, Link } from 'react-router';
import type { CourseCard, QuestLine } from '#app/features/catalogue/catalogue.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { Icon } from '#app/ui/icon.tsx';
import { Medal } from '#app/ui/medal.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

export type QuestLineSummary = Omit<QuestLine, 'steps' | 'role' | 'xp' | 'certifications'> & {
  courses: Pick<CourseCard, 'slug' | 'title' | 'level' | 'tier'>[];
};

/** One quest line in a list: its steps in order and their sums. The whole card leads to its page. */
export function QuestLineCard({ questLine }: { questLine: QuestLineSummary }) {
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
