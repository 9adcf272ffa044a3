import { href } from 'react-router';
import type { ContentRecord, RecordKind, RecordValue } from '#app/features/content/records.ts';

/** A public page that shows a record, and what it is called in the list of pages to preview. */
export type PublicPage = { label: string; address: string };

/** The field, and the parameter of a preview's address, that holds the address of the page to show. */
export const previewedPage = 'previewed';

const text = (value: unknown) => String(value ?? '');
const page = (label: string, address: string): PublicPage => ({ label, address });

const home = page('Home', href('/'));
const about = page('About', href('/about'));
const courses = page('Courses', href('/courses'));
const claims = page('Claims', href('/claims'));
const coursePage = ({ title, slug }: RecordValue) =>
  page(text(title), href('/course/:courseId', { courseId: text(slug) }));
const searched = (words: unknown) =>
  page(`Courses, searched for “${text(words)}”`, `${href('/courses')}?search=${encodeURIComponent(text(words))}`);
const inCategory = (slug: unknown) => `${href('/courses')}?category=${encodeURIComponent(text(slug))}`;

type Around = readonly ContentRecord[];

/** The pages of the first courses that fit, by title; each may show the record in another place. */
function pagesOfCourses(around: Around, fits: (course: RecordValue) => boolean): PublicPage[] {
  return around
    .filter(({ kind, value }) => kind === 'course' && fits(value))
    .map(({ value }) => coursePage(value))
    .sort((a, b) => a.label.localeCompare(b.label, 'en-AU'))
    .slice(0, 5);
}

const isListed = (list: unknown, one: unknown) => Array.isArray(list) && list.includes(one);

const pages: Record<RecordKind, (value: RecordValue, around: Around) => PublicPage[]> = {
  course: (course) => [coursePage(course), searched(course.title)],
  module: () => [],
  certification: ({ slug, name }) => [
    page(text(name), href('/certifications/:certificationId', { certificationId: text(slug) })),
    page('Certifications', href('/certifications')),
  ],
  'certification group': () => [page('Certifications', href('/certifications'))],
  'quest line': ({ slug, title }) => [
    page(text(title), href('/quest-lines/:questLineId', { questLineId: text(slug) })),
    page('Quest lines', href('/quest-lines')),
  ],
  combo: () => [page('Combos', href('/combos'))],
  category: ({ slug, name }) => [page(`Courses in ${text(name)}`, inCategory(slug)), courses, home],
  track: ({ slug }, around) => [home, ...pagesOfCourses(around, ({ tracks }) => isListed(tracks, slug))],
  instructor: ({ slug }, around) => [about, ...pagesOfCourses(around, ({ instructor }) => instructor === slug)],
  exam: ({ code }, around) => pagesOfCourses(around, ({ exams }) => isListed(exams, code)),
  page: ({ slug, title }) => [page(text(title), `/${text(slug)}`)],
  'faq group': () => [page('FAQ', href('/faq'))],
  resource: ({ slug, title }) => [
    page(text(title), href('/free-resources/:resourceId', { resourceId: text(slug) })),
    page('Free resources', href('/free-resources')),
  ],
  'hero slide': () => [home],
  partner: () => [home, claims],
  claim: () => [claims, home, about],
  promotion: () => [home, courses],
  'public holiday': () => [
    page('Times for a virtual tour', href('/book/:kind', { kind: 'virtual-tour' })),
    page('Times for career counselling', href('/book/:kind', { kind: 'career-counseling' })),
  ],
  synonym: ({ typed }) => [searched(typed)],
  site: () => [
    page('Contact', href('/contact')),
    home,
    about,
    page('Terms', '/terms'),
    page('Privacy', '/privacy'),
    page('Help', '/help'),
    page('FAQ', href('/faq')),
  ],
};

/** The public pages that show a record, the main one first; none for a module, and for an exam that no course has. */
export const publicPagesOf = (kind: RecordKind, value: RecordValue, around: Around): PublicPage[] =>
  pages[kind](value, around);
