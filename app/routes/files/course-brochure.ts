import { href, redirect } from 'react-router';
import type { BrochureProps } from '#app/documents/course-brochure.tsx';
import { drawContext, notDrawn } from '#app/documents/documents.ts';
import { courseDrawing } from '#app/features/catalogue/drawings.ts';
import { recognitionOf } from '#app/features/catalogue/site/recognition.ts';
import { formatCourseDateTime, takesEnrolments, upcomingCourseDatesOf } from '#app/features/course-dates/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { filesContext } from '#app/http/traffic.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { courseArt } from '#app/ui/course-art.ts';
import type { Route } from './+types/course-brochure';

/** The brochure of a course as a PDF, from the facts of its page. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const store = context.get(snapshotContext);
  const snapshot = store.current();
  const renamed = snapshot.aliases.get(params.courseId);
  if (renamed) throw redirect(href('/course/:courseId/brochure.pdf', { courseId: renamed }), 301);
  const course = snapshot.bySlug.get(params.courseId);
  if (!course) return new Response('Not found\n', { status: 404 });
  const found = await store.details(course.id);
  if (!found.ok) {
    const text = 'We cannot make the brochure right now. Please try again in a minute.\n';
    return new Response(text, { status: 503, headers: { 'Retry-After': '30' } });
  }
  const instructor = snapshot.instructors.get(course.instructorSlug);
  if (!instructor) throw new Error(`Course ${course.card.slug} has no instructor`);
  const { card } = course;
  const { name, email, phone, street, city, state, postcode } = snapshot.site;
  const today = academyToday(context.get(academyContext).clock);
  const path = href('/course/:courseId', { courseId: card.slug });
  const shown: BrochureProps = {
    academy: { name, email, phone, address: `${street}, ${city}, ${state} ${postcode}` },
    title: card.title,
    category: card.category.name,
    description: card.description,
    facts: [
      ['Price incl. GST', formatMoney(card.priceCents)],
      ['Duration', `${card.hours} hours`],
      ['Level', card.level],
      ['XP to earn', formatCount(card.xp)],
    ],
    overview: found.details.overview,
    // People keep the file: a date that was cancelled or is closed is not in it.
    dates: upcomingCourseDatesOf(snapshot.courseDates, card.slug, today)
      .filter((courseDate) => takesEnrolments(courseDate, today))
      .map((courseDate) => ({
        days: formatDays(courseDate.startDate, courseDate.endDate),
        detail: `${deliveryText(courseDate)}, ${formatCourseDateTime(courseDate)}`,
      })),
    objectives: found.details.objectives,
    curriculum: found.details.curriculum,
    instructor: {
      name: instructor.name,
      about: `${instructor.expertise} · ${instructor.experience}`,
      biography: instructor.biography,
    },
    prerequisites: found.details.prerequisites,
    credential: `${found.details.credential} ${recognitionOf(snapshot.site)}`,
    address: `${context.get(baseUrlContext)}${path}`,
    asOf: today,
  };
  const art = courseArt(courseDrawing(course, snapshot));
  const draw = context.get(drawContext);
  const key = `course-brochure ${JSON.stringify([shown, courseDrawing(course, snapshot)])}`;
  const pdf = await context.get(filesContext).get(key, async () => {
    const drawn = await draw({ kind: 'course-brochure', facts: shown, art });
    return drawn.ok ? drawn.bytes : null;
  });
  if (!pdf) return notDrawn();
  return new Response(pdf, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${card.slug}.pdf"`,
      'Cache-Control': 'public, max-age=3600',
    },
  });
}
