import type { Db } from '#app/db/client.server.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import type { BookingSettings, Site, Texts } from './site.ts';

export async function readTexts(trx: Db): Promise<Texts> {
  return readDocuments(trx, ['heroSlides', 'partners', 'claims', 'pages', 'faq', 'resources']);
}

export async function readSite(trx: Db): Promise<Site> {
  const { site } = await readDocuments(trx, ['site']);
  const { name, email, phone, address, copyrightYear, social } = site;
  return { name, email, phone, ...address, copyrightYear, social: socialLinks(social) };
}

export async function readBookingSettings(trx: Db): Promise<BookingSettings> {
  const { site, holidays } = await readDocuments(trx, ['site', 'holidays']);
  const kept = holidays.filter(({ states }) => states.includes('QLD')).flatMap(({ days }) => days);
  return { ...site.bookings, holidays: new Set(kept) };
}

const socialNames: [keyof Content['site']['social'], string][] = [
  ['linkedin', 'LinkedIn'],
  ['youtube', 'YouTube'],
  ['facebook', 'Facebook'],
  ['instagram', 'Instagram'],
  ['x', 'X'],
];

/** One that is not set is not shown (P21). */
function socialLinks(social: Content['site']['social']): Site['social'] {
  return socialNames.flatMap(([key, name]) => {
    const url = social[key];
    return url ? [{ name, url }] : [];
  });
}
