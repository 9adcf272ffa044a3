import { data, href, Link, redirect } from 'react-router';
import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import { examFacts, guaranteeSentence } from '#app/features/catalogue/exams.ts';
import { isAhead, weeklyInWords } from '#app/features/catalogue/live-hours.ts';
import { coursePaths } from '#app/features/catalogue/paths.ts';
import { momentOf } from '#app/features/catalogue/site/moments.ts';
import { recognitionOf } from '#app/features/catalogue/site/recognition.ts';
import { waysOf, waysSentence } from '#app/features/catalogue/ways.ts';
import { courseDateFacts } from '#app/features/course-dates/course-date-facts.ts';
import { viewOf } from '#app/features/course-dates/course-date-view.ts';
import { LiveSeatsProvider } from '#app/features/course-dates/live-seats.tsx';
import { hasFreeSeat, upcomingCourseDatesOf } from '#app/features/course-dates/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { completionSentence } from '#app/features/study/rules.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { readLater } from '#app/http/database-away.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatMoney } from '#app/lib/money.ts';
import { metaDescription, sentencesOf } from '#app/seo/meta-texts.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { coursePicture, versioned } from '#app/seo/share-picture.ts';
import { course } from '#app/seo/structured-courses.ts';
import { breadcrumbs, graph } from '#app/seo/structured-data.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/course';
import { CoursePage } from './course-page.tsx';
import { CourseWays, NextDate } from './course-ways.tsx';

export const handle: SharedPage = { shared: { parameters: [], seats: true } };

export async function loader({ context, params }: Route.LoaderArgs) {
  const store = context.get(snapshotContext);
  const snapshot = store.current();
  const { bySlug, aliases, instructors } = snapshot;
  const renamed = aliases.get(params.courseId);
  if (renamed) throw redirect(href('/course/:courseId', { courseId: renamed }), 301);
  const course = bySlug.get(params.courseId);
  if (!course) return data(null, { status: 404 });

  const result = await store.details(course.id);
  if (!result.ok) {
    throw readLater('We cannot show this course right now. Please try again in a minute.');
  }
  const instructor = instructors.get(course.instructorSlug);
  if (!instructor) throw new Error(`Course ${course.card.slug} has no instructor`);
  const today = academyToday(context.get(academyContext).clock);
  const courseDates = upcomingCourseDatesOf(snapshot.courseDates, course.card.slug, today);
  const ways = waysOf(
    course.card,
    courseDates.some((courseDate) => hasFreeSeat(courseDate, today)),
  );
  const { liveHours, ...details } = result.details;
  const exams = examFacts(snapshot, course.examCodes, today);
  return {
    card: course.card,
    // Made here, so that no browser loads what makes it.
    about: descriptionOf(course.card, ways, instructor.name),
    details,
    instructor,
    exams,
    promises: {
      guarantee: guaranteeSentence(exams, course.card.category.slug === 'job-guarantee'),
      completion: completionSentence(details, course.card.guided),
      recognition: recognitionOf(snapshot.site),
    },
    liveHours: liveHours
      .filter((hour) => isAhead(hour, today))
      .map((hour) => `${weeklyInWords(hour, today)}, with ${hour.instructor}`),
    paths: coursePaths(snapshot, course),
    moment: momentOf(course.card.slug),
    ways,
    courseDates: courseDates.map((courseDate) => viewOf(courseDate, snapshot.courseDates, today)),
  };
}

export const meta: Route.MetaFunction = (at) => {
  if (!at.loaderData) return pageMeta(at, 'Course Not Found', 'There is no course at this address.', noPage);
  const { loaderData } = at;
  return pageMeta(at, loaderData.card.title, loaderData.about, {
    machines: import.meta.env.SSR ? () => machines(loaderData) : undefined,
  });
};

/** The description for search engines: sentences of the course, then hours, price, ways to take it and instructor. */
function descriptionOf(card: CourseCard, ways: ReturnType<typeof waysOf>, instructor: string): string {
  const { title, description, hours, level, priceCents } = card;
  const said = sentencesOf(description);
  return metaDescription(
    ...(said.length > 0 ? said : [`${title}.`]),
    `${hours} hours at ${level} level for ${formatMoney(priceCents)} incl. GST.`,
    waysSentence(ways),
    `Taught by ${instructor}.`,
  );
}

function machines({ card, details, courseDates }: NonNullable<Route.ComponentProps['loaderData']>) {
  const path = href('/course/:courseId', { courseId: card.slug });
  const picture = coursePicture(card);
  const share = { path: href('/share/:kind/:file', { kind: 'course', file: `${card.slug}.png` }), picture };
  const trail = [
    { name: 'Courses', path: href('/courses') },
    { name: card.title, path },
  ];
  const held = courseDates.filter(({ standing }) => standing !== 'cancelled');
  const facts = { ...card, ...details, path, courseDates: held.map((one) => courseDateFacts(one)) };
  return {
    picture: share,
    data: (baseUrl: string) =>
      graph(course(baseUrl, facts, versioned(share.path, picture)), breadcrumbs(baseUrl, trail)),
  };
}

export default function Course({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <CourseNotFound />;
  const { courseDates, ways, liveHours, ...course } = loaderData;
  const { card, details } = course;
  const modules = { all: details.curriculum.length, written: details.modulesWritten };
  const page = (
    <CoursePage
      {...course}
      ways={<CourseWays ways={ways} course={card} liveHours={liveHours} modules={modules} courseDates={courseDates} />}
      next={<NextDate ways={ways} courseDates={courseDates} />}
    />
  );
  return courseDates.length > 0 ? <LiveSeatsProvider>{page}</LiveSeatsProvider> : page;
}

/** Shown with status 404 for an id that no course has or had (P4). */
function CourseNotFound() {
  return (
    <section className="page py-20 lg:py-32">
      <h1 className="text-4xl lg:text-6xl">Course Not Found</h1>
      <p className="mt-4 max-w-prose text-lg text-mute">
        No course has this address now. We may have retired it, or the link may have a typo.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <Link to={href('/')} className={button.primary}>
          Back to Courses
        </Link>
        <Link to={href('/courses')} className={button.quiet}>
          Search all courses
        </Link>
      </div>
    </section>
  );
}
