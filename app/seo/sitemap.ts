/** A page; `changed` is the last change of its content, as an ISO day or instant, and is left out when unknown. */
export type SitemapPage = { path: string; changed?: string | undefined };

/** A sitemap (sitemaps.org) of the given pages on the origin. */
export function sitemapXml(origin: string, pages: SitemapPage[]): string {
  const urls = pages.map(({ path, changed }) => {
    const lastmod = changed === undefined ? '' : `<lastmod>${changed}</lastmod>`;
    return `<url><loc>${escapeXml(origin + path)}</loc>${lastmod}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}

/** Text that XML may hold, between tags or in quotes; characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
