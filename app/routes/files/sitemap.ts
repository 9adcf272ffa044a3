import { href } from 'react-router';
import type { ListedCourse } from '#app/features/catalogue/catalogue.ts';
import { listCourses } from '#app/features/catalogue/listing.ts';
import { listingSearch, noFilters } from '#app/features/catalogue/schema.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { type SitemapPage, sitemapXml } from '#app/seo/sitemap.ts';
import type { Route } from './+types/sitemap';

export const handle: SharedPage = { shared: { parameters: [] } };

/** Every public page with the time of its last change. */
export function loader({ context }: Route.LoaderArgs): Response {
  const pages = pagesOf(context.get(snapshotContext).current());
  return new Response(sitemapXml(context.get(baseUrlContext), pages), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  });
}

function pagesOf(snapshot: Snapshot): SitemapPage[] {
  const { courses, bySlug, instructors, certificationGroups, questLines, courseDates, texts, changes } = snapshot;
  const of = (...keys: string[]) => keys.map((key) => changes.get(key)?.toISOString());
  const ofCourses = (slugs: string[]) => slugs.map((slug) => changeOf(bySlug.get(slug)));
  const wholeCatalogue = latest(courses.map(changeOf));
  return [
    { path: href('/'), changed: wholeCatalogue },
    { path: href('/courses'), changed: wholeCatalogue },
    ...categoryPages(snapshot),
    { path: href('/certifications') },
    { path: href('/quest-lines') },
    { path: href('/training-calendar') },
    { path: href('/combos') },
    { path: href('/about') },
    { path: href('/claims'), changed: latest(of('document:claims')) },
    { path: href('/contact') },
    { path: href('/book/:kind', { kind: 'career-counseling' }) },
    { path: href('/book/:kind', { kind: 'virtual-tour' }) },
    { path: href('/chat') },
    { path: href('/free-resources'), changed: latest(of('document:resources')) },
    { path: href('/faq'), changed: latest(of('document:faq')) },
    ...[href('/services'), href('/help'), href('/privacy'), href('/terms')].map((path) => ({
      path,
      changed: latest(of('document:pages')),
    })),
    { path: href('/enrol') },
    { path: href('/quote') },
    { path: href('/demo') },
    { path: href('/certificates') },
    ...courses.map((course) => ({
      path: href('/course/:courseId', { courseId: course.card.slug }),
      changed: changeOf(course),
    })),
    ...certificationGroups.flatMap(({ certifications }) =>
      certifications.map(({ slug, course }) => ({
        path: href('/certifications/:certificationId', { certificationId: slug }),
        changed: latest([...of(`certification:${slug}`), ...ofCourses([course.slug])]),
      })),
    ),
    ...questLines.map(({ slug, steps }) => ({
      path: href('/quest-lines/:questLineId', { questLineId: slug }),
      changed: latest([...of('document:questLines'), ...ofCourses(steps.map(({ course }) => course.slug))]),
    })),
    ...[...instructors.keys()].map((slug) => ({ path: href('/instructors/:instructorId', { instructorId: slug }) })),
    ...courseDates.map(({ slug, course }) => ({
      path: href('/training-calendar/:courseDateId', { courseDateId: slug }),
      changed: latest([...of(`course-date:${slug}`), ...ofCourses([course.slug])]),
    })),
    ...texts.resources.map(({ slug }) => ({
      path: href('/free-resources/:resourceId', { resourceId: slug }),
      changed: latest(of('document:resources')),
    })),
  ];
}

/** The lists of a category or track that have courses. */
function categoryPages(snapshot: Snapshot): SitemapPage[] {
  const slugs = new Set([...snapshot.categories, ...snapshot.tracks].map(({ slug }) => slug));
  return [...slugs].flatMap((category) => {
    const query = { ...noFilters, category };
    if (listCourses(snapshot, query).matching === 0) return [];
    return [{ path: `${href('/courses')}${listingSearch(query)}` }];
  });
}

const changeOf = (course: ListedCourse | undefined): string | undefined => course?.changedAt.toISOString();

function latest(times: (string | undefined)[]): string | undefined {
  return times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
}
