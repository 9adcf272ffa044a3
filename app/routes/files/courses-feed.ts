import { href } from 'react-router';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import type { SharedPage } from '#app/http/shared-page.ts';
import { atomFeed } from '#app/seo/atom-feed.ts';
import type { Route } from './+types/courses-feed';

const newest = 30;

export const handle: SharedPage = { shared: { parameters: [] } };

/** The courses that were published last, as an Atom feed. */
export function loader({ context }: Route.LoaderArgs): Response {
  const { orders, site } = context.get(snapshotContext).current();
  const baseUrl = context.get(baseUrlContext);
  const tag = `tag:${new URL(baseUrl).hostname},2025`;
  const entries = orders.newest.slice(0, newest).map(({ id, card, publishedOn, changedAt }) => {
    // A course is published at the start of its day in Brisbane.
    const published = new Date(`${publishedOn}T00:00:00+10:00`);
    const updated = changedAt > published ? changedAt : published;
    return {
      id: `${tag}:course/${id}`,
      title: card.title,
      summary: card.description,
      category: card.category.name,
      url: baseUrl + href('/course/:courseId', { courseId: card.slug }),
      published: published.toISOString(),
      updated: updated.toISOString(),
    };
  });
  const feed = {
    id: `${tag}:courses`,
    title: `New courses at ${site.name}`,
    author: site.name,
    url: baseUrl + href('/courses.atom'),
    pageUrl: `${baseUrl}${href('/courses')}?sort=newest`,
  };
  return new Response(atomFeed(feed, entries), {
    headers: { 'Content-Type': 'application/atom+xml; charset=utf-8', 'Cache-Control': 'public, max-age=300' },
  });
}
