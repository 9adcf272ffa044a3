import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { calendarFaults, valuesOf } from '#tests/support/calendar-text.ts';
import { thingsOf } from '#tests/support/structured-data.ts';
import { torture } from '#tests/support/torture.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

const textOf = async (address: string) => (await academy.request(address)).text();
const get = (address: string, headers: Record<string, string> = {}) => academy.request(address, { headers });
const feed = '/training-calendar.ics';
const courseDateFile = '/training-calendar/ethical-hacker-sydney/course_date.ics';

// Every kind of answer: shared and own pages, data, text and calendar files, redirects, errors, refusals.
const kinds = [
  '/',
  '/courses.data',
  '/contact',
  '/enrol?course=cissp',
  '/login',
  '/nowhere',
  '/course/none',
  '/staff',
  '/staff/sign-in',
  '/enrolment/none',
  '/api/seats',
  '/api/catalogue',
  '/api/suggestions?q=cissp',
  '/art/bower.svg',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
  '/courses.atom',
  '/manifest.webmanifest',
  '/.well-known/security.txt',
  '/wp-login.php',
  '/healthz',
  '/assets/none.js',
  '/%zz',
  feed,
  courseDateFile,
];

test.each(kinds)('%s says that it varies with the encoding, and is the same in each', async (address) => {
  const seen = await Promise.all(
    ['br', 'gzip', 'identity', ''].map(async (accepted) => {
      const response = await get(address, accepted ? { 'Accept-Encoding': accepted } : {});
      const body = Buffer.from(await response.arrayBuffer());
      const encoding = response.headers.get('Content-Encoding');
      const varies = (response.headers.get('Vary') ?? '').split(/, */).filter((one) => one === 'Accept-Encoding');
      const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
      return { accepted, encoding, varies: varies.length, plain: plain.toString() };
    }),
  );
  // A form has a token of its own each time.
  const withoutToken = (text: string) => text.replaceAll(/[\w.-]{40,}/g, '');
  const [br, gzip, identity, none] = seen;
  const large = (identity?.plain.length ?? 0) >= 1024;
  if (large) expect([br?.encoding, gzip?.encoding]).toEqual(['br', 'gzip']);
  expect([identity?.encoding, none?.encoding]).toEqual([null, null]);
  if (large) expect(seen.map(({ varies }) => varies)).toEqual([1, 1, 1, 1]);
  expect(withoutToken(br?.plain ?? '').length).toBe(withoutToken(identity?.plain ?? '').length);
});

test.each([
  feed,
  courseDateFile,
  '/course/cissp/brochure.pdf',
  '/course/cissp/certificate-sample.pdf',
  '/share/site.png',
  '/icon/192.png',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/apple-touch-icon-precomposed.png',
  '/art/bower.svg',
])('who has %s already is told so', async (address) => {
  const first = await get(address, { 'Accept-Encoding': 'br' });
  expect([first.status, first.headers.get('Cache-Control')]).toEqual([
    200,
    expect.stringMatching(/^public, max-age=\d/),
  ]);
  const tag = first.headers.get('ETag') ?? '';
  expect(tag).toMatch(/^"[^"]+"$/);
  const again = await get(address, { 'Accept-Encoding': 'br', 'If-None-Match': tag });
  expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, tag, '']);
  expect(again.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'));
  expect((await get(address, { 'Accept-Encoding': 'br', 'If-None-Match': '"other"' })).status).toBe(200);
});

test('icons are at the addresses that programs ask for without reading a page', async () => {
  const icon = await get('/favicon.ico');
  const bytes = Buffer.from(await icon.arrayBuffer());
  expect(icon.headers.get('Content-Type')).toBe('image/x-icon');
  expect([bytes.readUInt16LE(2), bytes.readUInt16LE(4), bytes[6], bytes[7]]).toEqual([1, 1, 32, 32]);
  expect(bytes.subarray(bytes.readUInt32LE(18), bytes.readUInt32LE(18) + 4).toString('latin1')).toBe('\x89PNG');
  expect(bytes.length).toBe(bytes.readUInt32LE(14) + bytes.readUInt32LE(18));
  expect((await get('/apple-touch-icon.png')).headers.get('Content-Type')).toBe('image/png');
});

test('a file that is not there costs a line, an unknown page is a page', async () => {
  for (const address of ['/wp-login.php', '/x/y.png', '/favicon-16.ico']) {
    const response = await get(address);
    expect([response.status, await response.text()]).toEqual([404, 'Not found\n']);
  }
  expect(await textOf('/nowhere')).toContain('Oops! Page not found');
});

test('a renamed page says for how long its former address leads on', async () => {
  const response = await get('/course/azure-security-az-500');
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([301, expect.stringContaining('max-age=')]);
});

test('search engines may list the form to enrol, and no page after it', async () => {
  const page = await get('/enrol');
  expect([page.status, page.headers.get('X-Robots-Tag')]).toEqual([200, null]);
  const html = await page.text();
  expect(html).toContain('<link rel="canonical" href="http://localhost:3000/enrol"');
  expect(html).not.toContain('noindex');
  expect(await textOf('/sitemap.xml')).toContain('<loc>http://localhost:3000/enrol</loc>');
  for (const address of ['/enrol/none', '/enrol/none.data', '/enrol/none/payer', '/enrol/none/review.data']) {
    expect((await get(address)).headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
    expect((await get(address)).headers.get('Cache-Control')).toBe('no-store');
  }
});

test('calendar files keep to their standard, and change only with their content', async () => {
  const first = await textOf(feed);
  const one = await textOf(courseDateFile);
  expect([calendarFaults(first), calendarFaults(one)]).toEqual([[], []]);
  expect(valuesOf(first, 'REFRESH-INTERVAL')).toEqual(['PT6H']);
  const uids = valuesOf(first, 'UID');
  expect(new Set(uids).size).toBe(uids.length);
  expect(uids.filter((uid) => !/^course-date-[0-9a-f-]{36}@bowerbird-academy-day\d$/.test(uid))).toEqual([]);
  expect(uids).toEqual(expect.arrayContaining(valuesOf(one, 'UID')));
  academy.setNow(new Date('2025-09-08T09:05:00+10:00'));
  expect(await textOf(feed)).toBe(first);

  // An edit of one course changes the entries of its dates, and no others.
  const numbers = (text: string) =>
    new Map(valuesOf(text, 'UID').map((uid, at) => [uid, valuesOf(text, 'SEQUENCE')[at]]));
  await academy.database.db
    .updateTable('courses')
    .set({ title: 'Certified Ethical Hacking' })
    .where('slug', '=', 'certified-ethical-hacker')
    .execute();
  await expect.poll(() => textOf(feed)).toContain('Certified Ethical Hacking');
  const [before, after] = [numbers(first), numbers(await textOf(feed))];
  const changed = [...after].filter(([uid, sequence]) => before.get(uid) !== sequence).map(([uid]) => uid);
  expect(changed.toSorted()).toEqual(valuesOf(one, 'UID').toSorted());
  for (const uid of changed) expect(Number(after.get(uid))).toBeGreaterThan(Number(before.get(uid)));
});

test('the calendar page offers the feed to subscribe to, and as a file', async () => {
  const html = await textOf('/training-calendar');
  expect(html).toContain('href="webcal://localhost:3000/training-calendar.ics"');
  expect(html).toContain('href="/training-calendar.ics"');
});

const notThere = [
  '/nowhere',
  '/course/none',
  '/certifications/none',
  '/quest-lines/none',
  '/training-calendar/none',
  '/free-resources/none',
  '/terms/2026-11-21',
  '/book/none',
  '/booked/BB-222222',
  '/booking/none',
  '/chat/none',
  '/sent/BB-222222',
  '/waiting/none',
  '/unsubscribe/none',
  '/enrolment/none',
  '/place/none',
  '/mail/none',
];
test.each(notThere)('%s, which is not there, has one title and is not kept', async (address) => {
  const response = await get(address);
  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html.match(/<title>/g)).toHaveLength(1);
  expect(html.includes('<meta name="robots" content="noindex"') || response.headers.has('X-Robots-Tag')).toBe(true);
});

torture('titles and descriptions of all public pages are whole in what search engines show', async () => {
  const addresses = [...(await textOf('/sitemap.xml')).matchAll(/<loc>http:\/\/localhost:3000([^<]+)<\/loc>/g)];
  const faults: string[] = [];
  for (const [, address = ''] of addresses) {
    const html = decode(await textOf(address.replaceAll('&amp;', '&')));
    const titles = [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title = '']) => title);
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';
    const [title = ''] = titles;
    if (titles.length !== 1) faults.push(`${address} has ${titles.length} titles`);
    if (title.length > 70) faults.push(`${address} has a title of ${title.length}: ${title}`);
    if (description.length > 160 || description.length < 50)
      faults.push(`${address} has ${description.length}: ${description}`);
    if (!/[.?!]$/.test(description) || /…|\.\.\./.test(description)) faults.push(`${address} is cut: ${description}`);
  }
  expect(addresses.length).toBeGreaterThan(200);
  expect(faults).toEqual([]);
});

const decode = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '”');

test('pictures beside shared links are small enough for the networks that show them', async () => {
  for (const address of ['/share/site.png', '/share/course/cissp.png', '/share/quest-line/soc-analyst.png']) {
    const { byteLength } = await (await get(address)).arrayBuffer();
    expect(byteLength).toBeLessThan(256_000);
  }
});

test('a course without dates that can be taken guided is an online instance, with no date made up', async () => {
  const guided = academy.services.snapshot.current().courses.filter(({ card }) => card.guided);
  expect(guided.length).toBeGreaterThan(50);
  for (const { card } of guided.slice(0, 12)) {
    const course: Record<string, unknown> = thingsOf(await textOf(`/course/${card.slug}`))[0] ?? {};
    expect(course.hasCourseInstance).toContainEqual(
      expect.objectContaining({
        '@type': 'CourseInstance',
        name: 'Guided study',
        courseMode: ['Online'],
        courseWorkload: `PT${card.hours}H`,
        offers: expect.objectContaining({ price: (card.priceCents / 100).toFixed(2), priceCurrency: 'AUD' }),
      }),
    );
    const instances = course.hasCourseInstance as Record<string, unknown>[];
    expect(instances.find(({ name }) => name === 'Guided study')).not.toHaveProperty('startDate');
  }
});

test('the academy is named with its company and ABN, and a date with the day since which it can be booked', async () => {
  const things = thingsOf(await textOf('/'));
  expect(things.find((thing) => thing['@type'] === 'Organization')).toMatchObject({
    legalName: 'Bowerbird Academy Pty Ltd',
    taxID: '89 000 000 019',
  });
  const slug = 'security-plus-online';
  await academy.database.db
    .updateTable('course_dates')
    // Of a column that pages show: what concerns nobody else is read with the next change.
    .set((row) => ({ made_at: new Date('2025-07-01T00:00:00Z'), zone: row.ref('zone') }))
    .where('slug', '=', slug)
    .execute();
  const offer = async () => thingsOf(await textOf(`/training-calendar/${slug}`))[0]?.offers;
  await expect.poll(offer).toMatchObject({ validFrom: '2025-07-01T00:00:00.000Z' });
});
