import { Fragment } from 'react';
import { data, href, Link } from 'react-router';
import type { Certification, CourseCard, QuestLine } from '#app/features/catalogue/catalogue.ts';
import { CourseLink } from '#app/features/catalogue/course-links.tsx';
import { CoursePaths } from '#app/features/catalogue/course-paths.tsx';
import { examWarning } from '#app/features/catalogue/exams.ts';
import { coursePaths } from '#app/features/catalogue/paths.ts';
import { Portrait } from '#app/features/catalogue/portrait.tsx';
import { seatsText, standingOf, upcomingCourseDatesOf } from '#app/features/course-dates/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { certificationPicture } from '#app/seo/share-picture.ts';
import { breadcrumbs, graph } from '#app/seo/structured-data.ts';
import { button } from '#app/ui/button.ts';
import { Icon } from '#app/ui/icon.tsx';
import { isIconName } from '#app/ui/icons.ts';
import { LabelledRow } from '#app/ui/labelled-row.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/certification';
import { ExamAsks, ExamCovers } from './certification-exam.tsx';
import { NotFound } from './frame/not-found.tsx';

export const handle: SharedPage = { shared: { parameters: [], seats: true } };

export function loader({ context, params }: Route.LoaderArgs) {
  const snapshot = context.get(snapshotContext).current();
  const { bySlug, certificationGroups, instructors, questLines, courseDates } = snapshot;
  const all = certificationGroups.flatMap(({ certifications }) => certifications);
  const certification = all.find(({ slug }) => slug === params.certificationId);
  if (!certification) return data(null, { status: 404 });
  const course = bySlug.get(certification.course.slug);
  if (!course) throw new Error(`Certification ${certification.slug} has no course`);
  const today = academyToday(context.get(academyContext).clock);
  const leadHere = questLines.filter(({ steps }) => steps.some((step) => step.course.slug === course.card.slug));
  const instructor = instructors.get(course.instructorSlug);
  return {
    certification,
    warning: examWarning(snapshot, course.card.slug, today),
    instructor: instructor ? { slug: instructor.slug, name: instructor.name } : null,
    dates: upcomingCourseDatesOf(courseDates, course.card.slug, today)
      .filter(({ state }) => state !== 'cancelled')
      .map((courseDate) => ({
        slug: courseDate.slug,
        days: formatDays(courseDate.startDate, courseDate.endDate),
        place: deliveryText(courseDate),
        seats: seatsText(courseDate, standingOf(courseDate, today)),
      })),
    questLines: leadHere.map(({ slug, title, steps }) => ({
      slug,
      title,
      stops: steps.map(({ course: { slug, title, icon } }) => ({ slug, title, icon })),
    })),
    // Without a quest line: the courses before and after this one.
    beside: leadHere.length === 0 ? coursePaths(snapshot, course) : null,
  };
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Page not found', 'There is no certification at this address.', noPage);
  const { certification } = at.loaderData;
  return pageMeta(at, `${certification.name} by ${certification.provider}`, certification.description, {
    machines: import.meta.env.SSR ? () => machines(certification) : undefined,
  });
};

function machines(certification: Certification) {
  const { slug, name } = certification;
  const trail = [
    { name: 'Certifications', path: href('/certifications') },
    { name, path: href('/certifications/:certificationId', { certificationId: slug }) },
  ];
  return {
    picture: {
      path: href('/share/:kind/:file', { kind: 'certification', file: `${slug}.png` }),
      picture: certificationPicture(certification),
    },
    data: (baseUrl: string) => graph(breadcrumbs(baseUrl, trail)),
  };
}

export default function CertificationPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { certification, questLines, beside, warning, dates } = loaderData;
  const { course } = certification;
  return (
    <article>
      <PageHead
        title={certification.name}
        lead={
          <>
            {certification.description}
            {warning && (
              <span className="block pt-3 font-bold text-on-satin">
                {warning.text}
                {warning.successors.map(({ slug, title }) => (
                  <Fragment key={slug}>
                    {' '}
                    <Link to={href('/course/:courseId', { courseId: slug })} className="underline underline-offset-4">
                      <Unbroken text={title} />
                    </Link>
                  </Fragment>
                ))}
              </span>
            )}
          </>
        }
      >
        <Link to={href('/course/:courseId', { courseId: course.slug })} className={button.straw}>
          Start Training
        </Link>
        <Link to={`${href('/contact')}?about=certification:${certification.slug}`} className={button.onSatin}>
          Speak to an Advisor
        </Link>
      </PageHead>
      <div className="page grid gap-12 py-12 lg:py-16">
        <div className="grid gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="grid content-start gap-12">
            <section>
              <h2 className="text-3xl">What it is</h2>
              <p className="mt-4 max-w-prose text-lg">{certification.overview}</p>
            </section>
            <section>
              <h2 className="text-3xl">Who it suits</h2>
              <ul className="mt-5 grid gap-3">
                {certification.suits.map((who) => (
                  <li key={who} className="flex max-w-prose gap-3">
                    <Icon name="compass" className="mt-0.5 size-5 shrink-0 text-link" />
                    {who}
                  </li>
                ))}
              </ul>
            </section>
            <section>
              <h2 className="text-3xl">Jobs it leads to</h2>
              <ul className="mt-5 flex flex-wrap gap-2.5">
                {certification.jobRoles.map((role) => (
                  <li key={role} className="rounded-full border border-line bg-card px-4 py-1.5 font-semibold">
                    {role}
                  </li>
                ))}
              </ul>
            </section>
            <section>
              <h2 className="text-3xl">Course dates</h2>
              <Dates dates={dates} course={course} />
            </section>
          </div>
          <CourseForIt certification={certification} over={warning?.over ?? false} instructor={loaderData.instructor} />
        </div>
        <section>
          <h2 className="text-3xl">The exam</h2>
          <ExamAsks exam={certification.exam} />
        </section>
        <section>
          <h2 className="text-3xl">What it covers</h2>
          <ExamCovers domains={certification.domains} />
        </section>
        <section>
          <h2 className="text-3xl">{beside ? 'Before and after its course' : 'Quest lines that lead here'}</h2>
          {questLines.map((path) => (
            <CertificationPath key={path.slug} path={path} here={course.slug} />
          ))}
          {beside && (
            <div className="mt-5">
              <CoursePaths paths={beside} />
            </div>
          )}
        </section>
      </div>
    </article>
  );
}

type Loaded = NonNullable<Route.ComponentProps['loaderData']>;

function Dates({ dates, course: { slug: course, guided } }: Pick<Loaded, 'dates'> & { course: CourseCard }) {
  if (dates.length === 0) {
    return (
      <p className="mt-4 max-w-prose">
        No date is set at the moment.{' '}
        {guided && (
          <>
            You can take the course guided:{' '}
            <Link
              to={`${href('/enrol')}?course=${course}`}
              className="font-bold text-link underline underline-offset-4"
            >
              choose your Monday
            </Link>
            .{' '}
          </>
        )}
        <Link
          to={`${href('/waiting-list')}?course=${course}`}
          className="font-bold text-link underline underline-offset-4"
        >
          Tell me about dates
        </Link>
      </p>
    );
  }
  return (
    <ul className="mt-5 flex flex-wrap gap-3">
      {dates.map(({ slug, days, place, seats }) => (
        <li key={slug} className="rounded-control border border-line bg-card px-5 py-3.5">
          <Link
            to={href('/training-calendar/:courseDateId', { courseDateId: slug })}
            prefetch="intent"
            className="font-bold text-link underline-offset-4 hover:underline"
          >
            {days}
          </Link>
          <p className="tabular text-sm text-mute">
            {place}, {seats}
          </p>
        </li>
      ))}
    </ul>
  );
}

type Props = {
  certification: Certification;
  /** Whether the exam is no longer offered. */
  over: boolean;
  instructor: { slug: string; name: string } | null;
};

/** The course that prepares for the exam: its drawing, who teaches it and what it costs. */
function CourseForIt({ certification, over, instructor }: Props) {
  const { course } = certification;
  return (
    <aside
      aria-label="The course for it"
      className="self-start overflow-hidden rounded-card border border-line bg-card lg:sticky lg:top-6"
    >
      <img
        src={href('/art/:kind/:file', { kind: 'course', file: `${course.slug}.svg` })}
        alt=""
        width={400}
        height={225}
        className="no-print aspect-video w-full object-cover"
      />
      <div className="p-6">
        <p className="text-sm text-mute">The course that prepares for it</p>
        <p className="mt-1 font-display text-xl leading-tight font-bold">
          <Unbroken text={course.title} />
        </p>
        {instructor && (
          <p className="mt-4 flex items-center gap-3">
            <Portrait slug={instructor.slug} className="size-12" />
            <span>
              <span className="block text-sm text-mute">Taught by</span>
              <b>{instructor.name}</b>
            </span>
          </p>
        )}
        <dl className="tabular mt-5 grid gap-2">
          <LabelledRow label="Price">{`${formatMoney(course.priceCents)} incl. GST`}</LabelledRow>
          <LabelledRow label="Duration">{`${course.hours} hours`}</LabelledRow>
          <LabelledRow label="Level">{course.level}</LabelledRow>
          <LabelledRow label={over ? 'Pass rate while it was offered' : 'Pass rate'}>
            {`${certification.passRate}%`}
          </LabelledRow>
        </dl>
        {certification.passRateSource && (
          <p className="mt-3 text-sm text-mute">Source of the pass rate: {certification.passRateSource}.</p>
        )}
        <Link
          to={href('/course/:courseId', { courseId: course.slug })}
          className={`${button.primary} no-print mt-6 w-full`}
        >
          Start Training
        </Link>
        <Link to={href('/certifications')} className={`${button.quiet} no-print mt-3 w-full`}>
          All certifications
        </Link>
      </div>
    </aside>
  );
}

type Stop = Pick<CourseCard, 'slug' | 'title' | 'icon'>;

/** A quest line as a certification's page shows it. */
type PathOfCertification = Pick<QuestLine, 'slug' | 'title'> & { stops: Stop[] };

/** A quest line from end to end, with the course `here`, that prepares for the certification, marked on it. */
function CertificationPath({ path, here }: { path: PathOfCertification; here: string }) {
  const { slug, title, stops } = path;
  return (
    <div className="mt-7">
      <h3 className="text-[1.375rem]">
        <Link
          to={href('/quest-lines/:questLineId', { questLineId: slug })}
          prefetch="intent"
          className="text-link underline-offset-4 hover:underline"
        >
          {title}
        </Link>
      </h3>
      <ol className="mt-5 grid lg:auto-cols-fr lg:grid-flow-col">
        {stops.map((stop, at) => (
          <li key={stop.slug} className="relative flex gap-4 pb-5 last:pb-0 lg:flex-col lg:gap-3 lg:pr-5 lg:pb-0">
            {at < stops.length - 1 && <Stretch />}
            <span
              className={`relative flex size-14 shrink-0 items-center justify-center rounded-full bg-card ${stop.slug === here ? 'border-4 border-action' : 'border-2 border-straw'}`}
            >
              <Icon name={isIconName(stop.icon) ? stop.icon : 'gem'} className="size-8 text-link" />
            </span>
            <div className="min-w-0 max-lg:pt-1">
              <p className="tabular text-sm text-mute">Step {at + 1}</p>
              <CourseLink course={stop} />
              {stop.slug === here && <p className="mt-1 text-sm font-bold">Prepares for this exam</p>}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The straw between one stop and the next: downwards on narrow screens, to the right on wide ones. */
function Stretch() {
  return (
    <>
      <span className="absolute top-14 bottom-0 left-6.5 border-l-4 border-straw lg:hidden" />
      <svg
        aria-hidden="true"
        viewBox="0 0 100 20"
        preserveAspectRatio="none"
        className="absolute top-4.5 right-0 left-14 hidden h-5 w-[calc(100%-3.5rem)] lg:block"
      >
        <path
          d="M0 10C25-4 60 24 100 10"
          fill="none"
          className="stroke-straw"
          strokeWidth="5"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d="M0 12C30 2 66 18 100 8"
          fill="none"
          className="stroke-edge"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </>
  );
}
