import { escapeXml } from './sitemap.ts';

export type FeedEntry = {
  /** Never changes for an entry, even when its address does. */
  id: string;
  title: string;
  summary: string;
  category: string;
  url: string;
  /** ISO instants. */
  published: string;
  updated: string;
};

export type Feed = { id: string; title: string; url: string; pageUrl: string; author: string };

/** An Atom feed (RFC 4287). It was updated when the latest of its entries was. */
export function atomFeed(feed: Feed, entries: FeedEntry[]): string {
  const updated =
    entries
      .map((entry) => entry.updated)
      .sort()
      .at(-1) ?? '1970-01-01T00:00:00.000Z';
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-AU">',
    `<id>${escapeXml(feed.id)}</id>`,
    `<title>${escapeXml(feed.title)}</title>`,
    `<updated>${updated}</updated>`,
    `<author><name>${escapeXml(feed.author)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feed.url)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(feed.pageUrl)}"/>`,
    ...entries.map(entryXml),
    '</feed>',
  ];
  return `${lines.join('\n')}\n`;
}

function entryXml({ id, title, summary, category, url, published, updated }: FeedEntry): string {
  return [
    `<entry><id>${escapeXml(id)}</id><title>${escapeXml(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
    `<published>${published}</published><updated>${updated}</updated>`,
    `<category term="${escapeXml(category)}"/><summary>${escapeXml(summary)}</summary></entry>`,
  ].join('');
}
