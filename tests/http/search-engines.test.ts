import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '#scripts/support/until.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { thingsOf } from '#tests/support/structured-data.ts';

const origin = 'http://localhost:3000';
const hostile = 'SOC </script><script>alert(1)</script> & <b>more</b> "Hands-On"';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp({
    edit({ courses }) {
      for (const course of courses) if (course.slug === 'soc-analyst-hands-on') course.title = hostile;
    },
  });
});
afterAll(() => academy.close());

const textOf = async (address: string) => (await academy.request(address)).text();
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]?.replace(origin, '');

test.each([
  '/',
  '/course/cissp',
  '/training-calendar/ethical-hacker-sydney',
  '/certifications/security-plus',
  '/quest-lines/soc-analyst',
])('%s has a share picture of 1200 by 630', async (address) => {
  const html = await textOf(address);
  const picture = metaOf(html, 'og:image') ?? '';
  expect(picture).toMatch(/^http:\/\/localhost:3000\/share\/.*\.png\?v=\w+$/);
  expect(metaOf(html, 'og:image:alt')).toBeTruthy();
  expect(metaOf(html, 'twitter:card')).toBe('summary_large_image');
  const response = await academy.request(picture.replace(origin, ''));
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/png']);
  const { width, height } = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
  expect([width, height]).toEqual([1200, 630]);
});

test.each([
  '/share/other.png',
  '/share/site.svg',
  '/share/course/none.png',
  '/share/course-date/none.png',
  '/share/certification/none.png',
  '/share/quest-line/none.png',
  '/share/person/cissp.png',
  '/icon/64.png',
])('there is no picture at %s', async (address) => {
  expect((await academy.request(address)).status).toBe(404);
});

test('an edited title shows in the share picture, in structured data, in the sitemap and in the feed', async () => {
  const address = '/course/threat-hunting';
  const pictureOf = (html: string) => (metaOf(html, 'og:image') ?? '').replace(origin, '');
  const lastmod = async () =>
    new RegExp(`${address}</loc><lastmod>([^<]+)`).exec(await textOf('/sitemap.xml'))?.[1] ?? '';
  const before = { picture: pictureOf(await textOf(address)), changed: await lastmod() };
  expect(before.changed).toMatch(/^20\d\d-\d\d-\d\dT/);
  await academy.database.db
    .updateTable('courses')
    .set({ title: 'Hunting by Night', published_on: '2025-09-08' })
    .where('slug', '=', 'threat-hunting')
    .execute();
  await until(async () => (await textOf(address)).includes('Hunting by Night'));
  const html = await textOf(address);
  expect(pictureOf(html)).not.toBe(before.picture);
  const [drawn, drawnBefore] = await Promise.all([pictureOf(html), '/share/course/cissp.png'].map(textOf));
  expect(drawn).not.toBe(drawnBefore);
  expect(thingsOf(html)[0]?.name).toBe('Hunting by Night');
  expect((await lastmod()) > before.changed).toBe(true);
  const feed = await textOf('/courses.atom');
  expect(feed).toContain('<title>Hunting by Night</title>');
  expect(feed.indexOf('<entry>')).toBeLessThan(feed.indexOf('Hunting by Night'));
});

test('a title cannot end the script of structured data, nor break the feed, the sitemap or llms.txt', async () => {
  const html = await textOf('/course/soc-analyst-hands-on');
  expect(html).not.toContain('<script>alert(1)');
  expect(thingsOf(html)[0]?.name).toBe(hostile);
  // Structured data is not executed: the policy needs no hash for it.
  const policy = (await academy.request('/course/soc-analyst-hands-on')).headers.get('Content-Security-Policy') ?? '';
  const hashes = /script-src ([^;]*)/.exec(policy)?.[1]?.match(/sha256-/g);
  expect(hashes).toHaveLength(html.match(/<script(?![^>]*(?:ld\+json| src=))[^>]*>/g)?.length ?? 0);
  expect(policy).toContain("manifest-src 'self'");
  const feed = await textOf('/courses.atom');
  expect(feed).not.toContain('<script>');
  expect(feed.match(/<entry>/g)).toHaveLength(30);
});

test.each([
  ['/courses', '/courses'],
  ['/courses?sort=newest&page=2', '/courses'],
  ['/courses?category=soc', '/courses?category=soc'],
  ['/courses?category=cybersecurity&sort=shortest', '/courses?category=cybersecurity'],
  ['/?category=soc', '/'],
  ['/?search=cissp', '/'],
  ['/training-calendar?level=advanced', '/training-calendar'],
  ['/contact?interest=other', '/contact'],
  ['/enrol?course=cissp', '/enrol'],
])('search engines keep %s as %s', async (address, kept) => {
  const html = await textOf(address);
  expect([canonicalOf(html), metaOf(html, 'robots')]).toEqual([kept, undefined]);
  expect(metaOf(html, 'og:url')).toBe(origin + kept);
});

test.each([
  '/courses?search=cissp',
  '/courses?level=expert',
  '/courses?category=soc&level=expert',
  '/courses?category=unknown',
  '/login',
  '/course/none',
  '/certifications/none',
])('search engines do not keep %s', async (address) => {
  const html = await textOf(address);
  expect([canonicalOf(html), metaOf(html, 'robots')]).toEqual([undefined, 'noindex']);
});

test('a course has its dates as instances with mode, place and price, and guided study; one with neither has none', async () => {
  const [course] = thingsOf(await textOf('/course/certified-ethical-hacker'));
  expect(course).toMatchObject({
    '@type': 'Course',
    offers: { price: '3499.00', priceCurrency: 'AUD', priceSpecification: { valueAddedTaxIncluded: true } },
    hasCourseInstance: [
      {
        courseMode: ['Onsite'],
        startDate: '2025-10-13T08:30:00+11:00',
        courseSchedule: { repeatFrequency: 'Daily', repeatCount: 5, scheduleTimezone: 'Australia/Sydney' },
        location: [{ '@type': 'Place', address: { addressLocality: 'Sydney', addressRegion: 'New South Wales' } }],
      },
      { name: 'Guided study', courseMode: ['Online'], courseWorkload: 'PT50H' },
    ],
  });
  expect(thingsOf(await textOf('/course/threat-modelling'))[0]).not.toHaveProperty('hasCourseInstance');
});

test.each([
  ['security-plus-online', 'OnlineEventAttendanceMode', ['VirtualLocation']],
  ['ai-lead-auditor-brisbane', 'MixedEventAttendanceMode', ['Place', 'VirtualLocation']],
  ['ethical-hacker-sydney', 'OfflineEventAttendanceMode', ['Place']],
])('the course date %s is an event: %s', async (slug, mode, places) => {
  const [event] = thingsOf(await textOf(`/training-calendar/${slug}`));
  expect(event).toMatchObject({
    '@type': 'EducationEvent',
    eventAttendanceMode: `https://schema.org/${mode}`,
    location: places.map((place) => ({ '@type': place })),
    offers: { availability: 'https://schema.org/InStock' },
  });
});

test('the list of a category holds its courses by their addresses, and a title of its own', async () => {
  const html = await textOf('/courses?category=soc');
  expect(html).toContain('<title>SOC courses | Bowerbird Academy</title>');
  const [list] = thingsOf(html);
  expect(list).toMatchObject({ '@type': 'ItemList', name: 'SOC courses' });
  expect(list?.itemListElement).toContainEqual({
    '@type': 'ListItem',
    position: 2,
    url: `${origin}/course/soc-fundamentals`,
  });
});

test('the files for machines have their types and contents', async () => {
  const typeOf = async (address: string) => (await academy.request(address)).headers.get('Content-Type');
  expect(await typeOf('/courses.atom')).toBe('application/atom+xml; charset=utf-8');
  expect(await typeOf('/manifest.webmanifest')).toBe('application/manifest+json');
  expect(await textOf('/robots.txt')).toBe(`User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`);
  const llms = await textOf('/llms.txt');
  expect(llms).toMatch(/^# Bowerbird Academy\n\n> A training academy in Brisbane/);
  expect(llms).toContain(`](${origin}/course/cissp): Advanced, 80 hours, AU$5,499 incl. GST`);
  const { icons }: { icons: { src: string; sizes: string }[] } = JSON.parse(await textOf('/manifest.webmanifest'));
  for (const { src, sizes } of icons) {
    const { width, height, data } = PNG.sync.read(Buffer.from(await (await academy.request(src)).arrayBuffer()));
    expect(`${width}x${height}`).toBe(sizes);
    // A maskable icon fills its corners; the others are rounded.
    expect(data[3]).toBe(src.includes('maskable') ? 255 : 0);
  }
  const head = await textOf('/about');
  expect(head).toContain('<link rel="manifest" href="/manifest.webmanifest"');
  expect(head).toContain('<link rel="alternate" type="application/atom+xml"');
});

test('security.txt names a contact, and expires 90 days from now', async () => {
  expect(await textOf('/.well-known/security.txt')).toBe(
    'Contact: mailto:hello@bowerbirdacademy.example\nExpires: 2025-12-07T00:00:00Z\nPreferred-Languages: en\n',
  );
});

test('forms that find courses are tools that may be used at once; a message is sent by the person', async () => {
  const toolsOf = async (address: string) =>
    [...(await textOf(address)).matchAll(/<form[^>]*toolname="(\w+)"[^>]*>/g)].map(([form, name]) => [
      name,
      form.includes('toolautosubmit'),
    ]);
  expect(await toolsOf('/courses')).toEqual([
    ['search_courses', true],
    ['filter_courses', true],
  ]);
  expect(await toolsOf('/contact')).toEqual([
    ['search_courses', true],
    ['write_to_the_academy', false],
  ]);
});

test('Learn More says about what, in its text', async () => {
  const links = [...(await textOf('/certifications')).matchAll(/<a [^>]*>Learn More<span class="sr-only">([^<]*)/g)];
  expect(links).toHaveLength(12);
  expect(links[0]?.[1]).toContain('Security+');
});
