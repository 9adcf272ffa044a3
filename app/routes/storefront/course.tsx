import { data, redirect } from 'react-router';
import { catalogueContext } from '../../features/catalogue/catalogue.server.ts';
import { CourseNotFound } from '../../features/catalogue/course-not-found.tsx';
import { CoursePage } from '../../features/catalogue/course-page.tsx';
import { examFacts } from '../../features/catalogue/exams.ts';
import { coursePaths } from '../../features/catalogue/paths.ts';
import { clockContext } from '../../http/context.ts';
import { academyToday } from '../../lib/clock.ts';
import { pageMeta } from '../../seo/page-meta.ts';
import type { Route } from './+types/course';

export async function loader({ context, params }: Route.LoaderArgs) {
  const catalogue = context.get(catalogueContext);
  const snapshot = catalogue.snapshot();
  const { bySlug, aliases, instructors } = snapshot;
  const renamed = aliases.get(params.courseId);
  if (renamed) throw redirect(`/course/${renamed}`, 301);
  const course = bySlug.get(params.courseId);
  if (!course) return data(null, { status: 404 });

  const result = await catalogue.details(course.card.slug);
  if (!result.ok) {
    throw data('This course cannot be read right now. Please try again in a minute.', {
      status: 503,
      headers: { 'Retry-After': '30' },
    });
  }
  const instructor = instructors.get(course.instructorSlug);
  if (!instructor) throw new Error(`Course ${course.card.slug} has no instructor`);
  const today = academyToday(context.get(clockContext));
  return {
    card: course.card,
    details: result.details,
    instructor,
    exams: examFacts(snapshot, course.examCodes, today),
    paths: coursePaths(snapshot, course),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? pageMeta(loaderData.card.title, loaderData.card.description)
    : pageMeta('Course Not Found', 'There is no course at this address.');

export default function Course({ loaderData }: Route.ComponentProps) {
  return loaderData ? <CoursePage {...loaderData} /> : <CourseNotFound />;
}
