import { href } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { sitemapXml } from '#app/seo/sitemap.ts';
import type { Route } from './+types/sitemap';

const fixed = [
  href('/'),
  href('/courses'),
  href('/certifications'),
  href('/quest-lines'),
  href('/training-calendar'),
  href('/combos'),
  href('/about'),
  href('/claims'),
  href('/contact'),
  href('/book/:kind', { kind: 'career-counseling' }),
  href('/book/:kind', { kind: 'virtual-tour' }),
  href('/free-resources'),
  href('/services'),
  href('/faq'),
  href('/help'),
  href('/privacy'),
  href('/terms'),
  href('/enrol'),
  href('/demo'),
];

/** Every public page: the fixed ones, then courses, certifications, quest lines, sessions and resources. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { courses, certificationGroups, questLines, sessions, texts } = context.get(snapshotContext).current();
  const paths = [
    ...fixed,
    ...courses.map(({ card }) => href('/course/:courseId', { courseId: card.slug })),
    ...certificationGroups.flatMap(({ certifications }) =>
      certifications.map(({ slug }) => href('/certifications/:certificationId', { certificationId: slug })),
    ),
    ...questLines.map(({ slug }) => href('/quest-lines/:questLineId', { questLineId: slug })),
    ...sessions.map(({ slug }) => href('/training-calendar/:sessionId', { sessionId: slug })),
    ...texts.resources.map(({ slug }) => href('/free-resources/:resourceId', { resourceId: slug })),
  ];
  return new Response(sitemapXml(context.get(baseUrlContext), paths), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  });
}
