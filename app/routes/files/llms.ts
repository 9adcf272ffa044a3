import { href } from 'react-router';
import type { CourseDate } from '#app/features/course-dates/course-date.ts';
import { decisionText, seatsText, standingOf, upcomingCourseDates } from '#app/features/course-dates/rules.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { deliveryText } from '#app/lib/delivery.ts';
import { formatMoney } from '#app/lib/money.ts';
import { llmsText } from '#app/seo/llms-text.ts';
import type { Route } from './+types/llms';

export const handle: SharedPage = { shared: { parameters: [], seats: true } };

/** `/llms.txt`: the site in Markdown, for language models that read it on someone's behalf. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { site, courses, certificationGroups, questLines, courseDates, texts } = context.get(snapshotContext).current();
  const baseUrl = context.get(baseUrlContext);
  const certifications = certificationGroups.flatMap((group) => group.certifications);
  const today = academyToday(context.get(academyContext).clock);
  const upcoming = upcomingCourseDates(courseDates, today);
  const page = (title: string, path: string, note?: string) => ({ title, url: baseUrl + path, ...(note && { note }) });
  const text = llmsText(
    site.name,
    `A training academy in ${site.city}, ${site.state}, for cybersecurity, AI, cloud and IT: ${courses.length} courses, taught online and in person.`,
    [
      `Prices are in Australian dollars and include GST. Questions: ${site.email}, ${site.phone}.`,
      `Search courses with ${baseUrl}${href('/courses')}?search=WORDS; filter with category= and level=.`,
    ],
    [
      {
        title: 'Pages',
        links: [
          page('All courses', href('/courses')),
          page('Training calendar', href('/training-calendar')),
          page('Frequently asked questions', href('/faq')),
          page('Terms', href('/terms'), 'cancelling, transfers, refunds and the exam guarantee'),
          page('Figures and their sources', href('/claims')),
          page('Contact', href('/contact')),
          page('New courses', href('/courses.atom'), 'Atom feed'),
          page('All course dates', href('/training-calendar.ics'), 'calendar file'),
        ],
      },
      {
        title: 'Course dates',
        links: upcoming.map((courseDate) =>
          page(
            courseDate.course.title,
            href('/training-calendar/:courseDateId', { courseDateId: courseDate.slug }),
            `${formatDays(courseDate.startDate, courseDate.endDate)}, ${deliveryText(courseDate)}, ${stateNote(courseDate, today)}`,
          ),
        ),
      },
      {
        title: 'Quest lines',
        links: questLines.map(({ slug, title, description }) =>
          page(title, href('/quest-lines/:questLineId', { questLineId: slug }), description),
        ),
      },
      {
        title: 'Certifications',
        links: certifications.map(({ slug, name, provider }) =>
          page(name, href('/certifications/:certificationId', { certificationId: slug }), provider),
        ),
      },
      {
        title: 'Courses',
        links: courses.map(({ card: { slug, title, level, hours, priceCents } }) =>
          page(
            title,
            href('/course/:courseId', { courseId: slug }),
            `${level}, ${hours} hours, ${formatMoney(priceCents)} incl. GST`,
          ),
        ),
      },
      {
        title: 'Optional',
        links: texts.resources.map(({ slug, title, kind }) =>
          page(title, href('/free-resources/:resourceId', { resourceId: slug }), kind),
        ),
      },
    ],
  );
  return new Response(text, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** Such as `12 seats left, confirmed`, or `cancelled`. */
function stateNote(courseDate: CourseDate, today: string): string {
  const standing = standingOf(courseDate, today);
  if (standing === 'cancelled') return 'cancelled';
  const decision = decisionText(courseDate, today);
  return `${seatsText(courseDate, standing)}, ${decision.charAt(0).toLowerCase()}${decision.slice(1)}`;
}
