import { Fragment } from 'react';
import { data, href, Link } from 'react-router';
import type { Catalogue, CourseCard, QuestLine } from '#app/features/catalogue/catalogue.ts';
import { CourseLink } from '#app/features/catalogue/course-links.tsx';
import { examsOnTheWay } from '#app/features/catalogue/exams.ts';
import { currentBanner } from '#app/features/catalogue/promotions/banner.server.ts';
import { combosWithin } from '#app/features/catalogue/promotions/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { questLinePicture } from '#app/seo/share-picture.ts';
import { breadcrumbs, courseList, graph } from '#app/seo/structured-data.ts';
import { button } from '#app/ui/button.ts';
import { isIconName } from '#app/ui/icons.ts';
import { LabelledRow } from '#app/ui/labelled-row.tsx';
import { Medal } from '#app/ui/medal.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { TrailMark } from '#app/ui/trail-mark.tsx';
import type { Route } from './+types/quest-line';
import { NotFound } from './frame/not-found.tsx';

/**
 * For each step of a quest line, the numbers (from 1) of the later steps that assume it, directly or through another
 * course. A step before the last that none depends on can be left out.
 */
export function dependentSteps(
  steps: readonly { course: Pick<CourseCard, 'slug'> }[],
  { bySlug, byId }: Pick<Catalogue, 'bySlug' | 'byId'>,
): number[][] {
  const needsOf = (slug: string): Set<number> => {
    const known = new Set<number>();
    const learn = (id: number) => {
      if (known.has(id)) return;
      known.add(id);
      for (const needed of byId.get(id)?.needs ?? []) learn(needed);
    };
    for (const id of bySlug.get(slug)?.needs ?? []) learn(id);
    return known;
  };
  const ids = steps.map(({ course }) => bySlug.get(course.slug)?.id ?? -1);
  const needs = steps.map(({ course }) => needsOf(course.slug));
  return ids.map((id, at) => needs.flatMap((needed, later) => (later > at && needed.has(id) ? [later + 1] : [])));
}

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context, params }: Route.LoaderArgs) {
  const snapshot = context.get(snapshotContext).current();
  const questLine = snapshot.questLines.find(({ slug }) => slug === params.questLineId);
  if (!questLine) return data(null, { status: 404 });
  const banner = currentBanner(snapshot, context.get(academyContext).clock);
  return {
    questLine,
    neededBy: dependentSteps(questLine.steps, snapshot),
    exams: examsOnTheWay(snapshot, questLine),
    savings: banner ? combosWithin(snapshot.combos, questLine) : [],
    until: banner?.endsText ?? null,
  };
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Page not found', 'There is no quest line at this address.', noPage);
  const { questLine } = at.loaderData;
  return pageMeta(at, `${questLine.title} quest line`, questLine.description, {
    machines: import.meta.env.SSR ? () => machines(questLine) : undefined,
  });
};

function machines(questLine: QuestLine) {
  const { slug, title, steps } = questLine;
  const trail = [
    { name: 'Quest lines', path: href('/quest-lines') },
    { name: title, path: href('/quest-lines/:questLineId', { questLineId: slug }) },
  ];
  const paths = steps.map(({ course }) => href('/course/:courseId', { courseId: course.slug }));
  return {
    picture: {
      path: href('/share/:kind/:file', { kind: 'quest-line', file: `${slug}.png` }),
      picture: questLinePicture(questLine),
    },
    data: (baseUrl: string) => graph(courseList(baseUrl, title, paths), breadcrumbs(baseUrl, trail)),
  };
}

/** A pace that a working adult can keep up; says how long the whole way takes. */
const hoursAWeek = 6;

export default function QuestLinePage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { questLine, neededBy, exams, savings, until } = loaderData;
  const { title, description, role, steps, hours, priceCents, xp } = questLine;
  const first = steps[0]?.course;
  return (
    <article>
      <PageHead
        title={title}
        lead={
          <>
            {description}{' '}
            <span className="tabular block pt-3 font-bold text-on-satin">
              {steps.length} quests, {hours} hours, {formatMoney(priceCents)} incl.{'\u00a0'}GST
            </span>
          </>
        }
      >
        {first && (
          <Link to={href('/course/:courseId', { courseId: first.slug })} className={button.straw}>
            Start with step 1
          </Link>
        )}
        <Link to={`${href('/contact')}?about=quest-line:${questLine.slug}`} className={button.onSatin}>
          Speak to an Advisor
        </Link>
      </PageHead>
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:py-16">
        <div className="grid content-start gap-12">
          <section>
            <h2 className="text-3xl">The role</h2>
            <p className="mt-4 max-w-prose text-lg">{role}</p>
          </section>
          <section>
            <h2 className="text-3xl">The way there</h2>
            <p className="mt-3 max-w-prose text-mute">
              Each step is a course of its own. Leave out what you can already do; every course page says what you
              should already know.
            </p>
            <Steps steps={steps} neededBy={neededBy} end={title} />
          </section>
          {exams.length > 0 && (
            <section>
              <h2 className="text-3xl">Exams on the way</h2>
              <p className="mt-3 max-w-prose text-mute">
                Other organisations set these exams. You book and pay for them there. Each course page has the details.
              </p>
              <ul className="mt-5 grid list-disc gap-2 pl-5 marker:text-edge">
                {exams.map(({ code, title: exam, body, certification }) => (
                  <li key={code} className="max-w-prose pl-1">
                    {certification ? (
                      <Link
                        to={href('/certifications/:certificationId', { certificationId: certification })}
                        prefetch="intent"
                        className="font-bold text-link underline underline-offset-4"
                      >
                        {exam}
                      </Link>
                    ) : (
                      <span className="font-bold">{exam}</span>
                    )}
                    , {body}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <aside aria-label="The whole way">
          <div className="sticky top-6 rounded-card border border-line bg-card p-6">
            <p className="text-sm text-mute">All {steps.length} courses</p>
            <p className="tabular mt-1">
              <span className="font-display text-[min(2rem,14vw)] leading-tight font-bold">
                {formatMoney(priceCents)}
              </span>{' '}
              <span className="text-sm text-mute">incl. GST</span>
            </p>
            <p className="mt-1 text-sm text-mute">
              The sum of the prices. You pay for each course as you go. Not counted: outside exams, study at home
              {steps.some(({ alsoNeeds }) => alsoNeeds.length > 0) ? ', and what you should already know' : ''}.
            </p>
            <dl className="tabular mt-5 grid gap-2">
              <LabelledRow label="Hours">{formatCount(hours)}</LabelledRow>
              <LabelledRow
                label={`Weeks at ${hoursAWeek} hours`}
              >{`about ${Math.ceil(hours / hoursAWeek)}`}</LabelledRow>
              <LabelledRow label="XP to earn">{formatCount(xp)}</LabelledRow>
            </dl>
            {savings.map(({ combo, savingCents }) => (
              <p key={combo.slug} className="mt-4 text-sm">
                <Link to={href('/combos')} className="font-bold text-link underline underline-offset-4">
                  {combo.title}
                </Link>{' '}
                joins {combo.courses.length} of these courses and saves {formatMoney(savingCents)} until {until}.
              </p>
            ))}
            <Link to={href('/quest-lines')} className={`${button.quiet} no-print mt-6 w-full`}>
              All quest lines
            </Link>
          </div>
        </aside>
      </div>
    </article>
  );
}

function Steps({ steps, neededBy, end }: Pick<QuestLine, 'steps'> & { neededBy: number[][]; end: string }) {
  const canSkip = (at: number) => at < steps.length - 1 && neededBy[at]?.length === 0;
  const needed = (at: number) => {
    const later = neededBy[at] ?? [];
    if (later.length === 0) return null;
    return `: needed for ${later.length === 1 ? 'step' : 'steps'} ${later.join(', ')}`;
  };
  return (
    <ol className="mt-6 grid gap-6">
      {steps.map(({ course, reason, alsoNeeds }, at) => (
        <li key={course.slug} className="flex gap-4 sm:gap-5">
          <TrailMark icon={isIconName(course.icon) ? course.icon : 'gem'} optional={canSkip(at)} />
          <div className="min-w-0 grow rounded-card border border-line bg-card p-4 sm:p-6">
            <p className="tabular text-sm font-bold text-mute">
              Step {at + 1}
              {canSkip(at) && ': no later step needs it, so you can leave it out'}
              {needed(at)}
            </p>
            <h3 className="mt-1 text-[1.375rem]">
              <CourseLink course={course} />
            </h3>
            <p className="mt-1.5 max-w-prose">{reason}</p>
            {alsoNeeds.length > 0 && (
              <p className="mt-1.5 max-w-prose text-mute">
                You should already know what {alsoNeeds.length === 1 ? 'this course teaches' : 'these courses teach'}:{' '}
                {alsoNeeds.map((needed, index) => (
                  <Fragment key={needed.slug}>
                    {index > 0 && ', '}
                    <CourseLink course={needed} inText />
                  </Fragment>
                ))}
                .
              </p>
            )}
            <p className="tabular mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-mute">
              <span className="flex items-center gap-1.5">
                <Medal tier={course.tier} />
                {course.level}
              </span>
              <span>{course.hours} hours</span>
              <span>{formatMoney(course.priceCents)} incl. GST</span>
            </p>
          </div>
        </li>
      ))}
      <li className="flex items-center gap-4 sm:gap-5">
        <TrailMark icon={null} />
        <p className="font-display text-xl font-bold">{end}</p>
      </li>
    </ol>
  );
}
