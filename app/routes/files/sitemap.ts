import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { sitemapXml } from '#app/seo/sitemap.ts';
import type { Route } from './+types/sitemap';

const fixed = [
  ...['/', '/courses', '/certifications', '/quest-lines', '/training-calendar', '/combos', '/about', '/contact'],
  ...['/free-resources', '/services', '/faq', '/help', '/privacy', '/terms', '/enrol', '/demo'],
];

/** Every public page: the fixed ones, then courses, certifications, quest lines, sessions and resources. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { courses, certificationGroups, questLines, sessions, texts } = context.get(snapshotContext).current();
  const paths = [
    ...fixed,
    ...courses.map(({ card }) => `/course/${card.slug}`),
    ...certificationGroups.flatMap(({ certifications }) => certifications.map(({ slug }) => `/certifications/${slug}`)),
    ...questLines.map(({ slug }) => `/quest-lines/${slug}`),
    ...sessions.map(({ slug }) => `/training-calendar/${slug}`),
    ...texts.resources.map(({ slug }) => `/free-resources/${slug}`),
  ];
  return new Response(sitemapXml(context.get(baseUrlContext), paths), {
    headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  });
}
