import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedCourse, snapshotOf } from '#tests/support/sample-snapshot.ts';
import { foldedWords, holdsFolded } from './folding.ts';
import { lastPage, listCourses } from './listing.ts';
import { type ListingQuery, noFilters, pageSize, sorts } from './schema.ts';
import { foldSynonyms } from './synonyms.ts';

const titles = (query: Partial<ListingQuery>, snapshot = mixed) =>
  listCourses(snapshot, { ...noFilters, ...query }).cards.map(({ title }) => title);

const mixed = snapshotOf([
  listedCourse(0, {
    title: 'Security+',
    category: 'comptia',
    level: 'Beginner',
    tracks: ['defensive'],
    price: 2299,
    hours: 40,
    publishedOn: '2025-01-01',
  }),
  listedCourse(1, {
    title: 'SOC Analyst',
    category: 'soc',
    level: 'Intermediate',
    tracks: ['defensive'],
    price: 3499,
    hours: 60,
    publishedOn: '2025-03-01',
  }),
  listedCourse(2, {
    title: 'Splunk',
    category: 'siem',
    level: 'Intermediate',
    tracks: ['soc'],
    price: 2499,
    hours: 32,
    publishedOn: '2025-02-01',
  }),
  listedCourse(3, {
    title: '100% _literal_ "quoted" 🎯',
    category: 'grc',
    level: 'Expert',
    price: 1299,
    hours: 24,
    publishedOn: '2024-12-01',
  }),
]);

test('P8: search is a case-insensitive substring of title or description, taken literally', () => {
  expect(titles({ search: 'sOC' })).toEqual(['SOC Analyst']);
  expect(titles({ search: 'DESCRIPTION OF 2' })).toEqual(['Splunk']);
  expect(titles({ search: '%' })).toHaveLength(1);
  expect(titles({ search: '_literal_ "quoted" 🎯' })).toHaveLength(1);
  expect(titles({ search: '.*' })).toEqual([]);
  expect(titles({ search: 'x'.repeat(10_240) })).toEqual([]);
  expect(titles({ search: '\u0000\u0007' })).toEqual([]);
});

const named = snapshotOf(
  [
    listedCourse(0, { title: 'ISO/IEC 27001 Lead Auditor', category: 'pecb' }),
    listedCourse(1, { title: 'Microsoft Security Fundamentals (SC-900)', category: 'microsoft' }),
    listedCourse(2, { title: 'Azure Security Technologies', category: 'microsoft', exams: ['AZ-500'] }),
    listedCourse(3, { title: 'Starting a Career in Cybersecurity', category: 'leadership' }),
    listedCourse(4, { title: 'CompTIA Security+ (SY0-701)', category: 'comptia' }),
    listedCourse(5, { title: 'CompTIA PenTest+ (PT0-003)', category: 'comptia' }),
    listedCourse(6, { title: 'Security Professional (CISSP)', category: 'isc2' }),
    listedCourse(7, { title: 'Kubernetes Administrator', category: 'container-security' }),
    listedCourse(8, { title: 'Mobile Apps', category: 'penetration-testing' }),
  ],
  {
    synonyms: foldSynonyms([
      { typed: 'k8s', means: ['Kubernetes'] },
      { typed: 'pen test', means: ['Penetration Testing'] },
    ]),
  },
);

test.each([
  ['iso27001', ['ISO/IEC 27001 Lead Auditor']],
  ['sc900', ['Microsoft Security Fundamentals (SC-900)']],
  ['az500', ['Azure Security Technologies']],
  ['cyber security', ['Starting a Career in Cybersecurity']],
  ['security plus', ['CompTIA Security+ (SY0-701)']],
  ['pen test', ['CompTIA PenTest+ (PT0-003)', 'Mobile Apps']],
  ['ciss', ['Security Professional (CISSP)']],
  ['k8s', ['Kubernetes Administrator']],
  ['containersecurity', ['Kubernetes Administrator']],
])('a search for %s finds what it means', (search, found) => {
  expect(titles({ search }, named)).toEqual(found);
});

test('P9: a slug of both a category and a track means the union', () => {
  expect(titles({ category: 'soc' })).toEqual(['SOC Analyst', 'Splunk']);
  expect(titles({ category: 'defensive' })).toEqual(['Security+', 'SOC Analyst']);
  expect(titles({ category: 'comptia' })).toEqual(['Security+']);
  expect(titles({ category: 'nope' })).toEqual([]);
});

test('P8: filters combine', () => {
  expect(titles({ category: 'soc', level: 'intermediate', search: 'spl' })).toEqual(['Splunk']);
  expect(titles({ category: 'soc', level: 'beginner' })).toEqual([]);
});

test('P8: the five orders', () => {
  expect(titles({ sort: 'popular' })[0]).toBe('Security+');
  expect(titles({ sort: 'newest' })[0]).toBe('SOC Analyst');
  expect(titles({ sort: 'price-low' })[0]).toMatch(/^100%/);
  expect(titles({ sort: 'price-high' })[0]).toBe('SOC Analyst');
  expect(titles({ sort: 'shortest' })[0]).toMatch(/^100%/);
});

test('P10: page 2 shows the first 48, and the link goes when all are shown', () => {
  const many = snapshotOf(Array.from({ length: 50 }, (_, at) => listedCourse(at)));
  const at = (page: number) => listCourses(many, { ...noFilters, page });
  expect(at(1)).toMatchObject({ matching: 50, total: 50, nextPage: 2 });
  expect(at(1).cards).toHaveLength(24);
  expect(at(2).cards).toHaveLength(48);
  expect(at(2).nextPage).toBe(3);
  expect(at(3).cards).toHaveLength(50);
  expect(at(3).nextPage).toBeNull();
  expect(at(999_999).cards).toHaveLength(50);
  const more = snapshotOf(Array.from({ length: 110 }, (_, nth) => listedCourse(nth)));
  const lengths = [1, 2, 3, 4, 5].map((page) => listCourses(more, { ...noFilters, page }).cards.length);
  expect(lengths).toEqual([24, 48, 72, 96, 110]);
});

test('an address cannot ask for a page without end', () => {
  const huge = snapshotOf(Array.from({ length: pageSize * lastPage + 1 }, (_, at) => listedCourse(at)));
  const listing = listCourses(huge, { ...noFilters, page: 100_000 });
  expect(listing.cards).toHaveLength(pageSize * lastPage);
  expect(listing.nextPage).toBeNull();
});

test('P8, P12: for any filters, each match passes them all, no literal match is lost or comes late, and the snapshot is untouched', () => {
  const category = fc.constantFrom('soc', 'siem', 'grc', 'defensive');
  const course = fc.record({
    title: fc.string({ maxLength: 12 }),
    category,
    tracks: fc.uniqueArray(category, { maxLength: 2 }),
    level: fc.constantFrom('Beginner', 'Expert' as const),
    price: fc.integer({ min: 1, max: 9 }),
  });
  const query = fc.record({
    search: fc.string({ maxLength: 2 }).map((text) => text.trim()),
    category: fc.oneof(fc.constant(''), category),
    level: fc.constantFrom('', 'beginner', 'expert'),
    sort: fc.constantFrom(...sorts.map(({ value }) => value)),
  });
  fc.assert(
    fc.property(fc.array(course, { maxLength: 40 }), query, (parts, wanted) => {
      const snapshot = snapshotOf(parts.map((part, at) => listedCourse(at, part)));
      const before = snapshot.courses.map(({ card }) => card.slug);
      const { cards, matching } = listCourses(snapshot, { ...noFilters, ...wanted, page: 40 });
      const shown = cards.map(({ slug }) => slug);
      const isFiltered = ({ card, trackSlugs }: (typeof snapshot.courses)[number]) =>
        [card.category.slug, ...trackSlugs, ''].includes(wanted.category) &&
        ['', card.level.toLowerCase()].includes(wanted.level);
      const passing = snapshot.courses.filter(isFiltered).map(({ card }) => card.slug);
      expect(passing).toEqual(expect.arrayContaining(shown));
      expect(matching).toBe(shown.length);
      const folded = foldedWords(wanted.search).join('');
      const literal = snapshot.courses.filter(
        (one) =>
          isFiltered(one) &&
          (`${one.card.title}\n${one.card.description}`.toLowerCase().includes(wanted.search.toLowerCase()) ||
            (folded.length > 1 && holdsFolded(one.subject, folded))),
      );
      const first = wanted.sort === 'popular' ? shown.slice(0, literal.length) : shown;
      expect(first).toEqual(expect.arrayContaining(literal.map(({ card }) => card.slug)));
      expect(snapshot.courses.map(({ card }) => card.slug)).toEqual(before);
    }),
  );
});

const ranked = snapshotOf([
  listedCourse(0, { title: 'Office Work', description: 'Reports and the data of an analyst', price: 9 }),
  listedCourse(1, { title: 'Analyst of Big Data', description: 'Charts', price: 8 }),
  listedCourse(2, { title: 'Charts', description: 'For a data analyst', price: 7 }),
  listedCourse(3, { title: 'Data Analyst', description: 'Charts', price: 6 }),
  listedCourse(4, { title: 'Data Entry', description: 'Typing', price: 5 }),
]);

test('a search finds its words in any order: titles and whole phrases first, whatever is most popular', () => {
  expect(titles({ search: 'data analyst' }, ranked)).toEqual([
    'Data Analyst',
    'Charts',
    'Analyst of Big Data',
    'Office Work',
  ]);
  expect(titles({ search: 'analysts data' }, ranked)).toEqual([
    'Analyst of Big Data',
    'Data Analyst',
    'Office Work',
    'Charts',
  ]);
});

test('under an order that was chosen, a better match does not come first', () => {
  expect(titles({ search: 'data analyst', sort: 'price-low' }, ranked)).toEqual([
    'Data Analyst',
    'Charts',
    'Analyst of Big Data',
    'Office Work',
  ]);
  expect(titles({ search: 'data analyst', sort: 'price-high' }, ranked)).toEqual([
    'Office Work',
    'Analyst of Big Data',
    'Charts',
    'Data Analyst',
  ]);
});

test('words that say nothing about a course are left out of a search, unless there are no others', () => {
  expect(titles({ search: 'the data analyst course in Brisbane' }, ranked)).toHaveLength(4);
  expect(titles({ search: 'for a' }, ranked)).toEqual(['Charts']);
});

test('only a search that no course matches lists near ones, within the filters and in the chosen order', () => {
  const near = (search: string, query: Partial<ListingQuery> = {}) =>
    listCourses(ranked, { ...noFilters, search, ...query }, () => ['course-4', 'course-1']);
  const shown = (listing: ReturnType<typeof near>) => listing.cards.map(({ title }) => title);
  expect(near('dtaa')).toMatchObject({ near: true, matching: 2, total: 5 });
  expect(shown(near('dtaa'))).toEqual(['Data Entry', 'Analyst of Big Data']);
  expect(shown(near('dtaa', { sort: 'price-high' }))).toEqual(['Analyst of Big Data', 'Data Entry']);
  expect(near('dtaa', { category: 'grc' })).toMatchObject({ near: false, matching: 0 });
  expect(near('data', { category: 'grc' })).toMatchObject({ near: false, matching: 0 });
  expect(near('data')).toMatchObject({ near: false, matching: 5 });
});

test('P8: whatever is searched, every course that holds it literally is found', () => {
  const part = fc.constantFrom('iso', '/', 'iec', ' ', '+', 'a', 'é', 'ec', '27', '-', 'ﬁ', 'plus', '\n', 'I');
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.nat(),
      fc.nat(),
      fc.nat(6),
      (all, which, from, length) => {
        const snapshot = snapshotOf(all.map((title, at) => listedCourse(at, { title, description: title })));
        const chosen = `${all[which % all.length]}\n${all[which % all.length]}`.toLowerCase();
        const at = from % (chosen.length + 1);
        const search = chosen.slice(at, at + 1 + length).trim();
        fc.pre(search !== '');
        const found = listCourses(snapshot, { ...noFilters, search }).cards.map(({ slug }) => slug);
        const holding = snapshot.courses.filter(({ searchText }) => searchText.includes(search.toLowerCase()));
        expect(found).toEqual(expect.arrayContaining(holding.map(({ card }) => card.slug)));
      },
    ),
    { numRuns: 1000 },
  );
});
