import { Fragment } from 'react';
import { data, href, Link } from 'react-router';
import type { Certification, CourseCard } from '#app/features/catalogue/catalogue.ts';
import { CoursePaths } from '#app/features/catalogue/course-paths.tsx';
import { examWarning } from '#app/features/catalogue/exams.ts';
import { coursePaths } from '#app/features/catalogue/paths.ts';
import { seatsText, upcomingCourseDatesOf } from '#app/features/course-dates/rules.ts';
import { standingOf } from '#app/features/course-dates/states.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { certificationPicture } from '#app/seo/share-picture.ts';
import { breadcrumbs, graph } from '#app/seo/structured-data.ts';
import { button } from '#app/ui/button.ts';
import { Icon } from '#app/ui/icon.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/certification';
import { CourseForIt } from './certification-course.tsx';
import { ExamAsks, ExamCovers } from './certification-exam.tsx';
import { CertificationPath } from './certification-path.tsx';
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
      <div className="page grid gap-14 py-12 lg:gap-18 lg:py-16">
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
