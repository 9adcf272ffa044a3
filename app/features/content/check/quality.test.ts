import { beforeAll, expect, test } from 'vitest';
import type { CourseContent } from '#app/features/content/course-schema.ts';
import type { Content } from '#app/features/content/schema.ts';
import { readAcademy } from '#tests/support/academy.ts';
import { catalogueCounts, qualityFaults } from './quality.ts';

let academy: Content;
beforeAll(async () => {
  academy = await readAcademy();
});

const messages = (content: Content) => qualityFaults(content).map(({ message }) => message);

/** The academy's content with some of its courses changed. */
function withCourses(change: (course: CourseContent) => CourseContent | null): Content {
  return { ...academy, courses: academy.courses.flatMap((course) => change(course) ?? []) };
}
const withCourse = (slug: string, parts: Partial<CourseContent>) =>
  withCourses((course) => (course.slug === slug ? { ...course, ...parts } : course));

test('the academy’s own catalogue meets its standard', () => {
  expect(messages(academy)).toEqual([]);
});

test('too few courses, quest lines, or courses in a category or track are told with their counts', () => {
  const [first] = academy.courses;
  if (!first) throw new Error('no course');
  expect(messages({ ...academy, courses: [] })).toContain('courses: 0, of at least 150');
  expect(messages({ ...academy, questLines: academy.questLines.slice(0, 11) })).toEqual([
    'quest lines: 11, of at least 12',
  ]);
  const withoutSoc = withCourses((course) => (course.category === 'soc' ? { ...course, category: 'grc' } : course));
  expect(messages(withoutSoc)).toEqual(['courses in category "soc": 0, of at least 5']);
  const oneBlockchain = withCourse('blockchain-foundations', { category: 'finance' });
  expect(messages(oneBlockchain)).toEqual(['courses in category "blockchain": 1, of at least 2']);
  const withoutPrivacy = withCourses((course) => ({
    ...course,
    tracks: course.tracks.filter((track) => track !== 'privacy'),
  }));
  expect(messages(withoutPrivacy)).toEqual(['courses in track "privacy": 0, of at least 8']);
});

test('the mix of levels stays sensible, and HOT rare', () => {
  const noExperts = withCourses((course) => (course.level === 'Expert' ? null : course));
  expect(messages(noExperts)).toContain('0% of the courses are Expert, not 3% to 12%');
  const allBeginners = withCourses((course) => ({
    ...course,
    level: 'Beginner',
    leadsTo: course.leadsTo ?? ['cissp'],
  }));
  expect(messages(allBeginners)).toContain('100% of the courses are Beginner, not 20% to 40%');
  const crowded = withCourses((course) => ({ ...course, learners: 10_001 }));
  expect(messages(crowded)).toEqual(['100% of the courses are HOT, more than 5%']);
});

test.each<[what: string, slug: string, parts: Partial<CourseContent>, message: string]>([
  ['a price below the main set', 'cissp', { price: 1598, originalPrice: undefined }, '1598 is not within 1599 to 8999'],
  ['a price above it', 'cissp', { price: 9000, originalPrice: undefined }, '9000 is not within 1599 to 8999'],
  [
    'a starter below its own',
    'cyber-career-launch',
    { price: 1298, originalPrice: 1599 },
    '1298 is not within 1299 to 8999',
  ],
  [
    'a longer first course at a starter’s price',
    'cyber-career-launch',
    { hours: 25 },
    '1299 is not within 1599 to 8999',
  ],
  [
    'a cheap job guarantee',
    'job-guarantee-grc-analyst',
    { price: 8998, originalPrice: undefined },
    '8998 is not within 8999 to 18900',
  ],
  ['a short course', 'cissp', { hours: 23 }, '23 is not within 24 to 120'],
  ['a short job guarantee', 'job-guarantee-grc-analyst', { hours: 179 }, '179 is not within 180 to 220'],
  [
    'a reduction just below 10%',
    'cissp',
    { price: 5000, originalPrice: 5499 },
    'is 10% above the price, not 10 to 30%',
  ],
  ['one just above 30%', 'cissp', { price: 5000, originalPrice: 6501 }, 'is 30% above the price, not 10 to 30%'],
  ['a small reduction', 'cissp', { originalPrice: 5500 }, 'is 0% above the price, not 10 to 30%'],
  ['an incredible reduction', 'cissp', { originalPrice: 9999 }, 'is 82% above the price, not 10 to 30%'],
  [
    'a path that stops early',
    'comptia-cysa-plus',
    { leadsTo: undefined },
    'a path may not end at Intermediate: name in "leadsTo" what follows',
  ],
])('%s is a fault', (_, slug, parts, message) => {
  expect(messages(withCourse(slug, parts))).toEqual([message]);
});

test('10% and 30% themselves are within', () => {
  expect(messages(withCourse('cissp', { price: 5000, originalPrice: 5500 }))).toEqual([]);
  expect(messages(withCourse('cissp', { price: 5000, originalPrice: 6500 }))).toEqual([]);
});

test('a curriculum bears three hours a topic, and never has fewer than 18', () => {
  const curriculum = Array.from({ length: 4 }, (_, at) => ({
    module: `Module ${at}`,
    topics: Array.from({ length: 5 }, (_, topic) => `Topic ${topic}`),
  }));
  expect(messages(withCourse('cissp', { curriculum, hours: 60 }))).toEqual([]);
  expect(messages(withCourse('cissp', { curriculum, hours: 61 }))).toEqual([
    '20 topics are too few for 61 hours: 21 or more',
  ]);
  const thin = curriculum.map((module) => ({ ...module, topics: module.topics.slice(0, 4) }));
  expect(messages(withCourse('cissp', { curriculum: thin, hours: 24 }))).toEqual([
    '16 topics are too few for 24 hours: 18 or more',
  ]);
});

test('no two descriptions start with the same two words', () => {
  const other = academy.courses.find(({ slug }) => slug === 'cisa');
  const start = other?.description.split(' ').slice(0, 2).join(' ');
  const found = messages(withCourse('cissp', { description: `${start} anything else` }));
  expect(found).toEqual([`starts with "${start?.toLowerCase()}", like that of cisa`]);
});

test('something leads to every course but the first ones', () => {
  const nobodyLeads = withCourses((course) => ({
    ...course,
    leadsTo: course.leadsTo?.map((slug) => (slug === 'csslp' ? 'cissp' : slug)),
    ...(course.slug === 'csslp' ? { needs: undefined } : {}),
  }));
  expect(messages(nobodyLeads)).toEqual([expect.stringContaining('no path leads to this Advanced course')]);
});

test('counts stand in the content’s order', () => {
  const { categories, tracks, levels } = catalogueCounts(academy);
  expect(categories.map(([slug]) => slug)).toEqual(academy.categories.map(({ slug }) => slug));
  expect(tracks).toHaveLength(12);
  expect(levels.reduce((sum, [, count]) => sum + count, 0)).toBe(academy.courses.length);
});
