import { data, href, Link } from 'react-router';
import { CourseLinks } from '#app/features/catalogue/course-links.tsx';
import { Portrait } from '#app/features/catalogue/portrait.tsx';
import { upcomingCourseDates } from '#app/features/course-dates/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/instructor';
import { NotFound } from './frame/not-found.tsx';

export const handle: SharedPage = { shared: { parameters: [] } };

export function loader({ context, params }: Route.LoaderArgs) {
  const { instructors, courses, courseDates } = context.get(snapshotContext).current();
  const instructor = instructors.get(params.instructorId);
  if (!instructor) return data(null, { status: 404 });
  const today = academyToday(context.get(academyContext).clock);
  return {
    instructor,
    about: `${instructor.name} teaches ${instructor.expertise} at Bowerbird Academy: courses, dates and experience.`,
    courses: courses.filter(({ instructorSlug }) => instructorSlug === instructor.slug).map(({ card }) => card),
    dates: upcomingCourseDates(courseDates, today)
      .filter((date) => date.instructor === instructor.name && date.state !== 'cancelled')
      .map((date) => ({
        slug: date.slug,
        title: date.course.title,
        days: formatDays(date.startDate, date.endDate),
        how: deliveryText(date),
      })),
  };
}

export const meta: Route.MetaFunction = (at) =>
  at.loaderData
    ? pageMeta(at, `${at.loaderData.instructor.name}, instructor`, at.loaderData.about)
    : pageMeta(at, 'Page not found', 'There is no instructor at this address.', noPage);

export default function InstructorPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { instructor, courses, dates } = loaderData;
  const { slug, name, expertise, experience, biography } = instructor;
  return (
    <article>
      <PageHead title={name} lead={`${expertise}. ${experience}.`} />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-2">
        <div className="grid content-start gap-6">
          <Portrait slug={slug} className="size-24" />
          <p className="max-w-prose sm:text-lg">{biography}</p>
          {dates.length > 0 && (
            <section>
              <h2 className="text-3xl">Next dates</h2>
              <ul className="tabular mt-4 border-t border-line">
                {dates.map((date) => (
                  <li key={date.slug} className="border-b border-line py-3">
                    <Link
                      to={href('/training-calendar/:courseDateId', { courseDateId: date.slug })}
                      prefetch="intent"
                      className="font-bold text-link underline-offset-4 hover:underline"
                    >
                      {date.days}, {date.how}
                    </Link>
                    <span className="block text-sm text-mute">
                      <Unbroken text={date.title} />
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <section>
          <h2 className="text-3xl">Courses</h2>
          <CourseLinks courses={courses} />
        </section>
      </div>
    </article>
  );
}
