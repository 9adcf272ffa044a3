import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';
import { expectSecurityHeaders } from '#tests/support/security-headers.ts';

const smuggled = 'window.smuggled = true';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp({
    env: { BASE_URL: 'https://academy.example' },
    edit(content) {
      for (const page of content.pages) {
        page.body += `\n\n<script>${smuggled}</script><style>p{display:none}</style>\n`;
      }
    },
  });
});
afterAll(() => academy.close());

const asset = readdirSync(path.join(projectRoot, 'build/client/assets')).find((name) => name.endsWith('.js'));
const own = { 'Sec-Fetch-Site': 'same-origin' };

test.each<[string, RequestInit, number]>([
  ['/', {}, 200],
  ['/', { method: 'HEAD' }, 200],
  ['/', { headers: { 'Accept-Encoding': 'gzip' } }, 200],
  ['/courses.data', {}, 200],
  ['/Courses', {}, 308],
  ['/?search=', {}, 302],
  ['/course/azure-security-az-500', {}, 301],
  ['/nowhere', {}, 404],
  ['/course/none', {}, 404],
  ['/%zz', {}, 400],
  [`/courses?search=${'x'.repeat(8000)}`, {}, 414],
  ['/courses', { method: 'POST', headers: own }, 405],
  ['/art/bower.svg', { method: 'POST', headers: own }, 405],
  ['/courses', { method: 'DELETE', headers: own }, 405],
  ['/courses', { method: 'OPTIONS' }, 204],
  ['/contact', { method: 'POST' }, 403],
  ['/contact', { method: 'POST', headers: own }, 400],
  ['/contact', { method: 'POST', headers: own, body: 'x'.repeat(70_000) }, 413],
  ['/art/bower.svg', {}, 200],
  ['/sitemap.xml', {}, 200],
  ['/training-calendar.ics', {}, 200],
  ['/course/cissp/certificate-sample.pdf', {}, 200],
  ['/course/cissp/brochure.pdf', {}, 200],
  ['/api/suggestions?search=a', {}, 200],
  [`/assets/${asset}`, {}, 200],
  ['/assets/none.js', {}, 404],
  ['/healthz', {}, 200],
  ['/readyz', {}, 200],
])('%s %j: %i with the security headers', async (address, init, status) => {
  const response = await academy.request(address, init);
  expect(response.status).toBe(status);
  expectSecurityHeaders(response.headers);
  if (status === 405) expect(response.headers.get('Allow')).toMatch(/GET, HEAD/);
});

test('HSTS is for HTTPS only', async () => {
  const plain = await openAcademyApp({ beside: academy });
  expect((await plain.request('/healthz')).headers.has('Strict-Transport-Security')).toBe(false);
  await plain.close();
});

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('a page’s policy lists exactly the scripts and styles we wrote; HTML in content is shown as text', async () => {
  const response = await academy.request('/help');
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  const html = await response.text();
  expect(html).toContain('&lt;script&gt;window.smuggled');
  expect(html).not.toContain('nonce');
  const inline = [...html.matchAll(/<(?:script|style)(?![^>]* src=)[^>]*>([\s\S]*?)<\/(?:script|style)>/g)];
  const hashes = new Set(inline.map(([, content = '']) => hashOf(content)));
  expect(hashes.size).toBeGreaterThanOrEqual(4);
  expect(new Set(policy.match(/'sha256-[^']+'/g))).toEqual(hashes);
  expect(policy).not.toContain(hashOf(smuggled));
  // Journeys show no pictures: they would not miss them.
  expect(policy).toContain("img-src 'self' data:;");
});

test('two renders of a page are the same bytes under the same policy', async () => {
  const [one, two] = [await academy.request('/courses'), await academy.request('/courses')];
  expect(await one.text()).toBe(await two.text());
  expect(one.headers.get('Content-Security-Policy')).toBe(two.headers.get('Content-Security-Policy'));
});

test('answers for one person only are neither cached nor listed: pages, data, files, redirects', async () => {
  const token = 'ab'.repeat(24);
  const paths = ['booking', 'chat', 'enrol', 'enrolment', 'place', 'waiting', 'unsubscribe'].flatMap((kind) => [
    `/${kind}/${token}`,
    `/${kind}/${token}.data`,
    `/${kind}/${token.toUpperCase()}`,
    `/${kind.toUpperCase()}/${token}/`,
  ]);
  const files = [`/booking/${token}/booking.ics`, `/booking/${token}/booking.ics.data`, `/chat/${token}/live.data`];
  for (const path of [...paths, ...files, `/chat/${token}/live`, '/sent/BB-123456', '/booked/BB-123456', '/staff']) {
    const { headers, status } = await academy.request(path);
    const told = [headers.get('Cache-Control'), headers.get('X-Robots-Tag')];
    expect([path, ...told]).toEqual([path, 'no-store', 'noindex, nofollow']);
    if (/[A-Z]{4}/.test(path)) expect(status).toBe(308);
  }
});
