import type { APIRequestContext } from '@playwright/test';
import { courseCount } from '#tests/support/academy.ts';
import { expect, test } from './fixtures.ts';

// Read as a crawler reads: no browser, every page once.
test.setTimeout(120_000);

async function addresses(request: APIRequestContext): Promise<string[]> {
  const xml = await (await request.get('/sitemap.xml')).text();
  return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
}

const decode = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'");

test('no dead link on the whole site, none that leads nowhere', async ({ request }) => {
  const pages = new Map<string, string>();
  const queue = ['/', '/login', '/demo', ...(await addresses(request))];
  const faults: string[] = [];
  const fragments: [from: string, to: string, id: string][] = [];
  for (let at = 0; at < queue.length; at++) {
    const address = queue[at] ?? '';
    if (pages.has(address)) continue;
    const response = await request.get(address);
    const html = response.headers()['content-type']?.startsWith('text/html') ? await response.text() : '';
    pages.set(address, html);
    if (response.status() !== 200) faults.push(`${address} answers ${response.status()}`);
    for (const [, raw = ''] of html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)) {
      const href = decode(raw);
      if (href === '#' || href === '') faults.push(`${address} has a link to "${href}"`);
      if (/^(mailto:|tel:|https?:)/.test(href)) continue;
      const [path = '', id] = href.split('#');
      if (id) fragments.push([address, path === '' ? address : path, id]);
      // Of the lists by filter, order and page one each is enough; the days of the calendar go on for ever.
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

test('every page has one h1, a title and a description of its own, and its canonical address', async ({ request }) => {
  const titles = new Map<string, string>();
  const descriptions = new Map<string, string>();
  const faults: string[] = [];
  for (const address of await addresses(request)) {
    const html = await (await request.get(address)).text();
    const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '';
    const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '';
    if ((html.match(/<h1\b/g) ?? []).length !== 1) faults.push(`${address} has not one h1`);
    if (title === '' || titles.has(title)) faults.push(`${address} shares its title with ${titles.get(title)}`);
    if (description.length < 50 || descriptions.has(description)) {
      faults.push(`${address} shares its description with ${descriptions.get(description)}`);
    }
    if (!new RegExp(`<link rel="canonical" href="[^"]*${address}"`).test(html))
      faults.push(`${address} is not canonical`);
    if (!html.includes(`<meta property="og:title" content="${title}"`)) faults.push(`${address} has no share text`);
    titles.set(title, address);
    descriptions.set(description, address);
  }
  expect(faults).toEqual([]);
});

test('robots.txt names the sitemap, and the sitemap holds every course', async ({ request }) => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toMatch(/Sitemap: http.*\/sitemap\.xml/);
  expect((await addresses(request)).filter((address) => address.startsWith('/course/'))).toHaveLength(courseCount);
});

test('P15: calendar files hold the days in UTC, with ids that stay', async ({ request }) => {
  const one = await (await request.get('/training-calendar/ethical-hacker-sydney/session.ics')).text();
  expect(one.match(/BEGIN:VEVENT/g)).toHaveLength(5);
  expect(one).toContain('UID:session-');
  expect(one).toContain('DTSTART:20251012T213000Z');
  expect(one).toMatch(/SEQUENCE:\d+/);
  const all = await (await request.get('/training-calendar.ics')).text();
  expect(all.match(/BEGIN:VEVENT/g)).toHaveLength(40);
});

test('P19: the certificate sample is a PDF', async ({ request }) => {
  const response = await request.get('/course/cissp/certificate-sample.pdf');
  expect(response.headers()['content-type']).toBe('application/pdf');
  expect((await response.body()).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a changing request from elsewhere, or from nowhere, is refused', async ({ baseURL }) => {
  const post = (headers: Record<string, string>) =>
    fetch(`${baseURL}/contact`, { method: 'POST', body: new URLSearchParams({ message: 'x' }), headers });
  expect((await post({})).status).toBe(403);
  expect((await post({ Origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await post({ 'Sec-Fetch-Site': 'cross-site', Origin: String(baseURL) })).status).toBe(403);
  // Behind a proxy that ends HTTPS the visitor's origin has another scheme than ours: it is still the same site.
  const host = new URL(String(baseURL)).host;
  const behindProxy = await fetch(`${baseURL}/contact`, {
    method: 'POST',
    body: new URLSearchParams({ message: 'kept' }),
    headers: { Origin: `https://${host}`, 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(behindProxy.status).toBe(403);
  expect(await behindProxy.text()).toContain('This form could not be recognised');
  for (const [type, body] of [
    ['application/json', '{"a":1}'],
    ['multipart/form-data; boundary=x', 'broken'],
  ] as const) {
    const odd = await fetch(`${baseURL}/contact`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type, Origin: String(baseURL) },
    });
    expect(odd.status).toBe(403);
  }
  expect((await fetch(`${baseURL}/sent/%00`)).status).toBe(404);
  const big = new URLSearchParams({ message: 'x'.repeat(70_000) });
  const tooLarge = await fetch(`${baseURL}/contact`, {
    method: 'POST',
    body: big,
    headers: { Origin: String(baseURL) },
  });
  expect(tooLarge.status).toBe(413);
});
