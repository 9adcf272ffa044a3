import type { Db } from '#app/db/client.server.ts';
import { withFacts } from '#app/features/content/placeholders.ts';
import { readDocuments } from '#app/features/content/read-documents.server.ts';
import type { Content } from '#app/features/content/schema.ts';
import { retentionSchema } from '#app/features/content/site-schemas.ts';
import type { BookingSettings, Site, Texts } from './site.ts';

/** The texts with the facts of site.yaml in place of their placeholders. */
export async function readTexts(trx: Db): Promise<Texts> {
  const { site, ...texts } = await readDocuments(trx, [
    'site',
    'heroSlides',
    'partners',
    'claims',
    'pages',
    'faq',
    'resources',
  ]);
  return {
    ...texts,
    pages: texts.pages.map((page) => ({ ...page, body: withFacts(page.body, site) })),
    faq: texts.faq.map((group) => ({
      ...group,
      questions: group.questions.map(({ question, answer }) => ({ question, answer: withFacts(answer, site) })),
    })),
    attending: site.attending ?? null,
  };
}

/** How people join a course date and what to bring; null where the settings have none. */
export async function readAttending(trx: Db): Promise<Texts['attending']> {
  const { site } = await readDocuments(trx, ['site']);
  return site.attending ?? null;
}

export async function readSite(trx: Db): Promise<Site> {
  const { site } = await readDocuments(trx, ['site']);
  const { name, legalName, abn, email, phone, address, copyrightYear, social } = site;
  return { name, legalName, abn, email, phone, ...address, copyrightYear, social: socialLinks(social) };
}

export async function readBookingSettings(trx: Db): Promise<BookingSettings> {
  const { site, holidays } = await readDocuments(trx, ['site', 'holidays']);
  const kept = holidays.filter(({ states }) => states.includes('QLD')).flatMap(({ days }) => days);
  return { ...site.bookings, holidays: new Set(kept) };
}

/** How long personal data is kept. The default while the database is empty. */
export async function readRetention(db: Db): Promise<Content['site']['retention']> {
  const row = await db.selectFrom('site_content').select('body').where('name', '=', 'site').executeTakeFirst();
  return retentionSchema.parse((row?.body as { retention?: unknown } | undefined)?.retention);
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
