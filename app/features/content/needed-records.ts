import type { CrossFault, ReadableContent } from './schema.ts';

/** The claims that pages ask for by their ids, by their place on the site (P6). */
export const claimsOfPages = {
  ratings: ['review-rating-1', 'review-rating-2', 'review-rating-3'],
  mission: ['students-trained', 'success-rate', 'courses-offered', 'learners'],
  goal: 'trainee-goal',
  about: ['about-students-trained', 'about-job-placement', 'about-instructors', 'about-support'],
  certifications: ['certifications-available', 'students-certified', 'salary-increase', 'certifications-job-placement'],
} as const;

/** The pages of text that have addresses of their own (P21). */
export const textPages = ['services', 'help', 'privacy', 'terms'] as const;

/** The records that pages ask for by a fixed id and cannot be shown without. */
export const neededRecords: { claim: readonly string[]; page: readonly string[] } = {
  claim: Object.values(claimsOfPages).flat(),
  page: textPages,
};

/** Claims and pages that the content lacks although the site asks for them by name (P6, P21). */
export function missingRecords({ claims, pages }: ReadableContent): CrossFault[] {
  const has = { claim: claims?.map(({ id }) => id), page: pages?.map(({ slug }) => slug) };
  const missing = (kind: 'claim' | 'page', file: 'claims' | 'pages') =>
    neededRecords[kind]
      .filter((key) => has[kind]?.includes(key) === false)
      .map((key): CrossFault => ({ file: { name: file }, path: [], message: `the site needs the ${kind} "${key}"` }));
  return [...missing('claim', 'claims'), ...missing('page', 'pages')];
}
