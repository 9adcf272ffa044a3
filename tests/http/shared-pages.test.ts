import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerFrom, createPageCache, prepareBody } from '#app/http/page-cache.server.ts';
import { until } from '#scripts/support/until.ts';
import { createHttpServer } from '#server/http-server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { expectSecurityHeaders } from '#tests/support/security-headers.ts';
import { torture } from '#tests/support/torture.ts';
import { withoutPolling } from '#tests/support/without-polling.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await withoutPolling(() => openAcademyApp({ env: { BASE_URL: 'https://academy.example' } }));
});
afterAll(() => academy.close());

const get = (address: string, headers: Record<string, string> = {}) => academy.request(address, { headers });
const contentType = { 'Content-Type': 'text/html; charset=utf-8' };
const tagOf = (response: Response) => response.headers.get('ETag') ?? '';

test('a page is the same bytes in every encoding, each with its own tag', async () => {
  const identity = await get('/courses');
  const text = Buffer.from(await identity.arrayBuffer());
  const br = await get('/courses', { 'Accept-Encoding': 'br' });
  const gzip = await get('/courses', { 'Accept-Encoding': 'gzip, br;q=0' });
  expect(br.headers.get('Content-Encoding')).toBe('br');
  expect(gzip.headers.get('Content-Encoding')).toBe('gzip');
  expect(brotliDecompressSync(Buffer.from(await br.arrayBuffer())).equals(text)).toBe(true);
  expect(gunzipSync(Buffer.from(await gzip.arrayBuffer())).equals(text)).toBe(true);
  expect(new Set([identity, br, gzip].map(tagOf)).size).toBe(3);
  for (const { headers } of [identity, br, gzip]) {
    expect(headers.get('Vary')).toBe('Accept-Encoding');
    expect(headers.get('Cache-Control')).toMatch(/^public, max-age=0, s-maxage=\d+, stale-while-revalidate=\d+$/);
    expectSecurityHeaders(headers);
  }
});

test('a page that is asked for often is sent as small as it gets, and its earlier tag still holds', async () => {
  const cache = createPageCache(10_000_000);
  const text = await (await get('/courses')).text();
  const { page } = await cache.get('key', 'courses', async () => new Response(text, { headers: contentType }));
  if (!page) throw new Error('not kept');
  const question = { method: 'GET', acceptEncoding: 'br', ifNoneMatch: null };
  await prepareBody(page, 'br');
  const quick = answerFrom(page, question);
  await until(() => cache.peek('key')?.dense === true);
  const dense = answerFrom(page, question);
  const tag = (answer: typeof quick) => answer?.headers.find(([name]) => name === 'etag')?.[1] ?? '';
  expect(dense?.body?.length).toBeLessThan(0.95 * (quick?.body?.length ?? 0));
  expect(brotliDecompressSync(dense?.body ?? '').toString()).toBe(text);
  expect(tag(dense)).not.toBe(tag(quick));
  expect(answerFrom(page, { ...question, ifNoneMatch: tag(quick) })).toMatchObject({ status: 304, body: null });
});

test.each([
  ['its tag', (tag: string) => tag, 304],
  ['its weak tag among others', (tag: string) => `"other", W/${tag}`, 304],
  ['any', () => '*', 304],
  ['the tag of another encoding', (tag: string) => tag.replace(/"$/, '-gzip"'), 200],
])('asked again with %s', async (_what, wanted, status) => {
  const first = await get('/about');
  const again = await get('/about', { 'If-None-Match': wanted(tagOf(first)) });
  expect(again.status).toBe(status);
  expect(tagOf(again)).toBe(tagOf(first));
  expectSecurityHeaders(again.headers);
  expect(again.headers.get('Content-Security-Policy')).toBe(first.headers.get('Content-Security-Policy'));
  if (status === 304) expect(await again.text()).toBe('');
});

test.each(['/courses', '/contact', '/nowhere'])(
  'HEAD of %s has the headers of its page and no body',
  async (address) => {
    const page = await get(address);
    const head = await academy.request(address, { method: 'HEAD' });
    expect(head.status).toBe(page.status);
    const fields = (response: Response) =>
      [...response.headers.keys()].filter((name) => name !== 'content-length' && name !== 'x-request-id');
    expect(fields(head)).toEqual(fields(page));
    expect(head.headers.get('Content-Security-Policy')).toMatch(/script-src 'self' 'sha256-/);
  },
);

test('parameters that a page does not have are ignored, in any order', async () => {
  const page = await get('/courses?search=cloud&level=beginner');
  const campaign = await get('/courses?utm_source=letter&level=beginner&search=cloud&gclid=1');
  expect(tagOf(campaign)).toBe(tagOf(page));
  expect(await campaign.text()).not.toContain('utm_source');
});

test('nothing a visitor sends reaches a shared page', async () => {
  academy.services.traffic.pages.plain = createPageCache(1e8);
  const first = await get('/about', {
    'X-Forwarded-Host': 'evil.example',
    'User-Agent': 'evil-agent',
    Cookie: 'evil=1',
    'Accept-Language': 'xx',
  });
  expect(await first.text()).not.toMatch(/evil|xx/);
  expect(tagOf(await get('/about'))).toBe(tagOf(first));
});

test('many who ask at once for a page that is not kept wait for one render', async () => {
  academy.services.traffic.pages.plain = createPageCache(1e8);
  const before = academy.logged.length;
  const from = (at: number) => ({ from: `192.0.2.${at}` });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => academy.request('/claims', from(at))));
  expect(new Set(answers.map(tagOf)).size).toBe(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(academy.logged.length - before).toBe(20);
  const held = academy.services.traffic.pages.plain.bytes();
  await get('/claims');
  expect(academy.services.traffic.pages.plain.bytes()).toBe(held);
});

test('an edit is visible when it is notified, in the page and in the data for the browser', async () => {
  const data = '/course/cissp.data?_routes=routes%2Fstorefront%2Fcourse';
  const [page, json] = [await get('/course/cissp'), await get(data)];
  await academy.database.db
    .updateTable('courses')
    .set({ title: 'CISSP, edited' })
    .where('slug', '=', 'cissp')
    .execute();
  await until(async () => (await (await get('/course/cissp')).text()).includes('CISSP, edited'));
  await until(async () => (await (await get(data)).text()).includes('CISSP, edited'));
  expect(tagOf(await get('/course/cissp'))).not.toBe(tagOf(page));
  expect(tagOf(await get(data))).not.toBe(tagOf(json));
});

async function sharedAddresses(): Promise<string[]> {
  const xml = await (await get('/sitemap.xml')).text();
  const paths = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  // One course in eight, and everything else.
  return ['/demo', ...paths.filter((path, at) => !path.startsWith('/course/') || at % 8 === 0)];
}

torture('a sale renders only pages that show seats again, and the others would not have changed', async () => {
  const { pages } = academy.services.traffic;
  const addresses = await sharedAddresses();
  const before = new Map<string, string>();
  for (const address of addresses) before.set(address, tagOf(await get(address)));
  const held = academy.services.traffic.pages.plain.bytes();
  const { seats } = academy.services.snapshot.current().versions;
  await academy.database.db
    .updateTable('course_dates')
    .set((row) => ({ capacity: row.ref('minimum') }))
    .execute();
  await until(() => academy.services.snapshot.current().versions.seats > seats);

  const kept = pages.plain;
  const rendered: string[] = [];
  for (const address of addresses) {
    const bytes = kept.bytes();
    await get(address);
    if (kept.bytes() !== bytes) rendered.push(address);
  }
  expect(kept.bytes()).toBeGreaterThan(held);
  expect(rendered).toContain('/training-calendar');
  expect(rendered.filter((address) => !/^\/(course|certifications|training-calendar)(\/|$)/.test(address))).toEqual([]);

  academy.services.traffic.pages.plain = createPageCache(1e8);
  const changed: string[] = [];
  for (const address of addresses) if (tagOf(await get(address)) !== before.get(address)) changed.push(address);
  expect(changed).toContain('/training-calendar');
  expect(changed.filter((address) => !rendered.includes(address))).toEqual([]);
});

test('no form token is ever in a shared page', async () => {
  const tokened: string[] = [];
  for (const address of [...(await sharedAddresses()), '/contact', '/enrol?course=cissp', '/enrol']) {
    const response = await get(address);
    if (!/name="form"/.test(await response.text())) continue;
    tokened.push(address);
    expect(response.headers.get('Cache-Control'), address).toBe('no-store');
    expect(response.headers.get('ETag'), address).toBeNull();
  }
  expect(tokened).toContain('/contact');
});

test('a visitor who closed the banner by form gets pages without it, which are not shared', async () => {
  const shared = await get('/');
  const own = await get('/', { Cookie: 'promo-banner=left-out' });
  expect(await shared.text()).toContain('AVAIL NOW');
  expect(await own.text()).not.toContain('AVAIL NOW');
  expect(own.headers.get('Cache-Control')).toBe('private, no-cache');
});

test('the banner is gone from the instant the promotion ends, and the page is new on each day', async () => {
  const { promotion } = academy.services.snapshot.current();
  academy.setNow(new Date(Date.parse(promotion.endsAt) - 1));
  expect(await (await get('/')).text()).toContain('AVAIL NOW');
  academy.setNow(new Date(promotion.endsAt));
  expect(await (await get('/')).text()).not.toContain('AVAIL NOW');
});

test('the server answers pages in memory itself, with the same headers, one request of a connection a turn', async () => {
  const server = createHttpServer(academy.app.fetch, { https: true, recall: academy.recall });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const redirect = await fetch(`${origin}/courses?search=&level=`, { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, '/courses']);
  expect((await fetch(`${origin}/course/none`)).status).toBe(404);
  const slow = await fetch(`${origin}/faq`);
  const slowBody = await slow.text();
  const quick = await fetch(`${origin}/faq`);
  expect(await quick.text()).toBe(slowBody);
  const fields = ({ headers }: Response) =>
    Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)));
  expect(fields(quick)).toEqual(fields(slow));
  expect(quick.headers.get('X-Request-Id')).not.toBe(slow.headers.get('X-Request-Id'));
  const again = await fetch(`${origin}/faq`, { headers: { 'If-None-Match': quick.headers.get('ETag') ?? '' } });
  expect(again.status).toBe(304);
  const head = await fetch(`${origin}/faq`, { method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Encoding')]).toEqual([200, quick.headers.get('Content-Encoding')]);
  expect(academy.recall(questionOf('/faq', { host: 'a b' }))).toBeNull();
  expect(academy.recall(questionOf('/faq', { host: 'x', cookie: 'promo-banner=left-out' }))).toBeNull();
  expect(academy.recall(questionOf('/faq', { host: 'x' }))?.status).toBe(200);
  server.close().closeAllConnections();
});

function questionOf(url: string, headers: Record<string, string>) {
  return Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url, headers });
}
