import type { RecordKind } from './records.ts';

/** Content kept whole in `site_content`, by its name there, with the kind of record its members are. */
export const documentNames = {
  site: 'site',
  heroSlides: 'hero slide',
  partners: 'partner',
  questLines: 'quest line',
  exams: 'exam',
  promotion: 'promotion',
  claims: 'claim',
  pages: 'page',
  faq: 'faq group',
  resources: 'resource',
  holidays: 'public holiday',
  synonyms: 'synonym',
} as const satisfies Record<string, RecordKind>;
