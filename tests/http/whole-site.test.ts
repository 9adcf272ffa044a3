import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicPages } from '#scripts/support/public-pages.ts';
import { courseCount } from '#tests/support/academy.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { faultsOf, thingsOf, urlsOf } from '#tests/support/structured-data.ts';
import { torture } from '#tests/support/torture.ts';

// Reads the site like a crawler: without a browser, every page once.
let academy: AcademyApp;
/** Every address asked for so far, with its status and its text. */
const read = new Map<string, { status: number; type: string; text: string }>();
beforeAll(async () => {
  academy = await openAcademyApp();
});
afterAll(() => academy.close());

async function get(address: string) {
  const known = read.get(address);
  if (known) return known;
  const response = await academy.request(address);
  const type = response.headers.get('Content-Type') ?? '';
  const answer = { status: response.status, type, text: type.startsWith('text/') ? await response.text() : '' };
  read.set(address, answer);
  return answer;
}

async function addresses(): Promise<string[]> {
  const xml = await (await academy.request('/sitemap.xml')).text();
  return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url.replace('http://localhost:3000', ''));
}

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'");

torture('the whole site has no dead and no empty links', async () => {
  const pages = new Map<string, string>();
  const queue = ['/', '/login', '/demo', ...(await addresses())];
  const faults: string[] = [];
  const fragments: [from: string, to: string, id: string][] = [];
  for (let at = 0; at < queue.length; at++) {
    const address = queue[at] ?? '';
    if (pages.has(address)) continue;
    // Those of one course stand for all: drawing one takes longer than ten pages.
    if (address.endsWith('.pdf') && !address.startsWith('/course/cissp/')) continue;
    const { status, type, text } = await get(address);
    const html = type.startsWith('text/html') ? text : '';
    pages.set(address, html);
    if (status !== 200) faults.push(`${address} answers ${status}`);
    for (const [, raw = ''] of html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)) {
      const href = decode(raw);
      if (href === '#' || href === '') faults.push(`${address} has a link to "${href}"`);
      if (/^(mailto:|tel:|webcal:|https?:)/.test(href)) continue;
      const [path = '', id] = href.split('#');
      if (id) fragments.push([address, path === '' ? address : path, id]);
      // Skips further pages and orders of a list, and other dates: the calendar has no end.
      if (path !== '' && !/[?&](page|sort|date|show)=/.test(path)) queue.push(path);
    }
  }
  for (const [from, to, id] of fragments) {
    const html = pages.get(to);
    if (html !== undefined && !html.includes(`id="${id}"`))
      faults.push(`${from} points to #${id}, which ${to} has not`);
  }
  expect(faults).toEqual([]);
  expect(pages.size).toBeGreaterThan(100);
});

test('header and footer of every page of the shop have the stops of the keyboard that home has', async () => {
  // The journey by keyboard goes through them on home only.
  const stopsOf = (html: string) =>
    [...html.matchAll(/<(header|footer)\b[\s\S]*?<\/\1>/g)].flatMap(([part]) =>
      [...part.matchAll(/<(?:a|button|input|select|summary)\b[^>]*>|<[^>]*\s(?:tabindex|inert)[=\s>][^>]*>/gi)].map(
        ([tag]) =>
          ['^<\\w+', '\\shref="[^"]*"', '\\stabindex="[^"]*"', '\\sinert\\b', '\\sdisabled\\b']
            .map((form) => new RegExp(form, 'i').exec(tag)?.[0] ?? '')
            .join(''),
      ),
    );
  const home = stopsOf((await get('/')).text);
  expect(home.length).toBeGreaterThan(20);
  expect(home.filter((stop) => /tabindex|inert/i.test(stop))).toEqual([]);
  for (const address of publicPages.filter((one) => !/^\/(enrol|login|quote|ask-employer)/.test(one)))
    expect([address, stopsOf((await get(address)).text)]).toEqual([address, home]);
});

torture('every picture of the site is there, and is one', async () => {
  const pictures = new Map<string, string>();
  for (const address of ['/', '/login', '/enrol?course=cissp', ...(await addresses())]) {
    const { text: html, type } = await get(address);
    if (!type.startsWith('text/html')) continue;
    const tags = html.match(/<(img|source|link)\b[^>]*>/g) ?? [];
    for (const tag of tags.filter(
      (one) => !one.startsWith('<link') || /as="image"|rel="(apple-touch-)?icon"/.test(one),
    ))
      for (const [, list = ''] of tag.matchAll(/\s(?:src|srcset|srcSet|imagesrcset|imageSrcSet|href)="([^"]*)"/g))
        for (const one of list.split(/,\s+/)) pictures.set(decode(one.trim().split(/\s/)[0] ?? ''), address);
  }
  const faults: string[] = [];
  for (const [picture, page] of pictures) {
    if (picture.startsWith('data:image/')) continue;
    const response = await academy.request(picture);
    const bytes = (await response.arrayBuffer()).byteLength;
    const isPicture = response.headers.get('Content-Type')?.startsWith('image/') ?? false;
    if (response.status !== 200 || !isPicture || bytes < 50)
      faults.push(`${page} shows ${picture}: ${response.status}`);
  }
  expect(faults).toEqual([]);
  expect(pictures.size).toBeGreaterThan(100);
});

torture('every page has one h1, a title and a description of its own, and its canonical address', async () => {
  const titles = new Map<string, string>();
  const descriptions = new Map<string, string>();
  const faults: string[] = [];
  for (const address of await addresses()) {
    const { text: html } = await get(address);
    const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '';
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';
    if ((html.match(/<h1\b/g) ?? []).length !== 1) faults.push(`${address} has not one h1`);
    if (title === '' || titles.has(title)) faults.push(`${address} shares its title with ${titles.get(title)}`);
    if (description.length < 50 || descriptions.has(description)) {
      faults.push(`${address} shares its description with ${descriptions.get(description)}`);
    }
    if (!html.includes(`<link rel="canonical" href="http://localhost:3000${address}"`))
      faults.push(`${address} is not canonical`);
    if (!html.includes(`<meta property="og:title" content="${title}"`)) faults.push(`${address} has no share text`);
    titles.set(title, address);
    descriptions.set(description, address);
  }
  expect(faults).toEqual([]);
});

torture('every page’s structured data is complete and points to pages that exist', async () => {
  const known = new Set(await addresses());
  const faults: string[] = [];
  const types = new Set<unknown>();
  for (const address of known) {
    const things = thingsOf((await get(address)).text);
    for (const thing of things) types.add(thing['@type']);
    faults.push(...faultsOf(things).map((fault) => `${address}: ${fault}`));
    const own = urlsOf(things).filter((url) => url.startsWith('http://localhost:3000'));
    const paths = own.map((url) => url.replace('http://localhost:3000', '').replace(/#.*/, ''));
    const pages = paths.filter((path) => !/^\/(share|icon|enrol)\b|\{search_term_string\}$/.test(path));
    faults.push(...pages.filter((path) => !known.has(path)).map((path) => `${address} points to ${path}`));
  }
  expect(faults).toEqual([]);
  expect([...types].sort()).toEqual([
    'BreadcrumbList',
    'Course',
    'EducationEvent',
    'ItemList',
    'Organization',
    'WebSite',
  ]);
});

test('robots.txt names the sitemap, and the sitemap holds every course', async () => {
  const { text: robots } = await get('/robots.txt');
  expect(robots).toMatch(/Sitemap: http.*\/sitemap\.xml/);
  expect((await addresses()).filter((address) => address.startsWith('/course/'))).toHaveLength(courseCount);
});

test('P15: calendar files hold the days in UTC, with stable ids', async () => {
  const { text: one } = await get('/training-calendar/ethical-hacker-sydney/course_date.ics');
  expect(one.match(/BEGIN:VEVENT/g)).toHaveLength(5);
  expect(one).toContain('UID:course-date-');
  expect(one).toContain('DTSTART:20251012T213000Z');
  expect(one).toMatch(/SEQUENCE:\d+/);
  const { text: all } = await get('/training-calendar.ics');
  expect(all.match(/BEGIN:VEVENT/g)).toHaveLength(40);
});

test('P19: certificate sample and brochure are PDFs that name the course', async () => {
  for (const file of ['certificate-sample', 'brochure']) {
    const response = await academy.request(`/course/cissp/${file}.pdf`);
    expect(response.headers.get('Content-Type')).toBe('application/pdf');
    const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1');
    expect(pdf.slice(0, 5)).toBe('%PDF-');
    expect(pdf).toContain('Certified Information Systems Security Professional \\(CISSP\\)');
    expect((await academy.request(`/course/none/${file}.pdf`)).status).toBe(404);
  }
  expect((await get('/course/cissp')).text).toContain('/course/cissp/brochure.pdf');
});

test('a post from another site, or without an origin, is refused', async () => {
  const post = (headers: Record<string, string>, body: BodyInit = new URLSearchParams({ message: 'x' })) =>
    academy.request('/contact', { method: 'POST', body, headers });
  const own = { Origin: 'http://localhost:3000' };
  expect((await post({})).status).toBe(403);
  expect((await post({ Origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await post({ ...own, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  // Behind a proxy that terminates HTTPS the visitor's origin has another scheme than ours, but is the same site.
  const behindProxy = await post({ Origin: 'https://localhost:3000', 'Sec-Fetch-Site': 'same-origin' });
  expect(behindProxy.status).toBe(403);
  expect(await behindProxy.text()).toContain('We could not recognise this form');
  for (const [type, body] of [
    ['application/json', '{"a":1}'],
    ['multipart/form-data; boundary=x', 'broken'],
  ] as const) {
    expect((await post({ ...own, 'Content-Type': type }, body)).status).toBe(400);
  }
  expect((await academy.request('/sent/%00')).status).toBe(404);
  const tooLarge = await post(own, new URLSearchParams({ message: 'x'.repeat(70_000) }));
  expect(tooLarge.status).toBe(413);
});

const odd = [
  '?category=unknown',
  '?level=grandmaster',
  '?sort=random',
  '?page=-1',
  '?page=99999999999999999999',
  '?page=two',
  `?search=${'x'.repeat(4000)}`,
  `?search=${encodeURIComponent('🎯'.repeat(300))}`,
  '?search=%00%07%1b',
  '?search=%25_',
  '?search=%22%27%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '?search=a&search=b&category=x&category=y',
];
for (const query of odd) {
  test(`bad input is answered sensibly: ${query.slice(0, 40)}`, async () => {
    for (const path of ['/courses', '/']) {
      const response = await academy.request(path + query);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('<script>alert(1)');
    }
  });
}

for (const address of ['/%zz', '/courses?search=%E0%A4%A', '/course/%']) {
  test(`malformed percent-encoding is a 400: ${address}`, async () => {
    const response = await academy.request(address);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('percent sign without a valid code');
  });
}

test('pages have security headers; unknown assets are a 404', async () => {
  const { headers } = await academy.request('/');
  expect(headers.get('Content-Security-Policy')).toMatch(/script-src 'self' 'sha256-/);
  expect(headers.get('Content-Security-Policy')).not.toContain('unsafe');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  expect((await academy.request('/assets/none.js')).status).toBe(404);
});

test('odd addresses of the calendar are answered sensibly', async () => {
  for (const query of ['date=soon', 'show=99', 'mode=Telepathy', 'month=%00', 'date=2025-02-30&show=0000-00']) {
    expect((await academy.request(`/training-calendar?${query}`)).status).toBe(200);
  }
  expect((await academy.request('/training-calendar/none')).status).toBe(404);
});

test('P3: a former slug redirects to the course (301)', async () => {
  const response = await academy.request('/course/azure-security-az-500');
  expect(response.status).toBe(301);
  expect(response.headers.get('Location')).toBe('/course/azure-security-engineer-az-500');
});

test('two fetches of a page a second apart are the same bytes', async () => {
  const first = await (await academy.request('/')).text();
  academy.setNow(new Date('2025-09-08T09:00:01+10:00'));
  expect(await (await academy.request('/')).text()).toBe(first);
});
