import { data, redirect } from 'react-router';
import { catalogueContext } from '../../features/catalogue/catalogue.server.ts';
import { CourseNotFound } from '../../features/catalogue/course-not-found.tsx';
import { CoursePage } from '../../features/catalogue/course-page.tsx';
import { pageMeta } from '../../seo/page-meta.ts';
import type { Route } from './+types/course';

export async function loader({ context, params }: Route.LoaderArgs) {
  const catalogue = context.get(catalogueContext);
  const { bySlug, aliases, instructors } = catalogue.snapshot();
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
  return { card: course.card, details: result.details, instructor };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? pageMeta(loaderData.card.title, loaderData.card.description)
    : pageMeta('Course Not Found', 'There is no course at this address.');

export default function Course({ loaderData }: Route.ComponentProps) {
  return loaderData ? <CoursePage {...loaderData} /> : <CourseNotFound />;
}
