import { readFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '#app/env.server.ts';
import { until } from '#scripts/support/until.ts';
import { serveMetrics } from '#server/serve.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeAll(async () => {
  academy = await openAcademyApp({ env: { METRICS_PORT: '9', VITALS_SAMPLE: '0.25' } });
});
afterAll(() => academy.close());

const text = async () => (await academy.metrics?.text()) ?? '';

/** The value of one line; 0 when there is none. */
async function value(line: string): Promise<number> {
  const lines = (await text()).split('\n');
  return Number(lines.find((one) => one.startsWith(`${line} `))?.slice(line.length) ?? 0);
}

const report = (body: string, headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' }) =>
  academy.request('/api/vitals', { method: 'POST', body, headers });
const visit = (route: string, ...vitals: object[]) => JSON.stringify({ route, vitals });
const lcp = { name: 'LCP', value: 812.4, rating: 'good' };

test('requests are counted by route and status, no matter which part answers them, and renders are timed', async () => {
  const pages: [string, number, string][] = [
    ['/about', 200, '/about'],
    ['/about', 200, '/about'],
    ['/contact', 200, '/contact'],
    ['/course/none', 404, '/course/:courseId'],
    ['/nowhere', 404, '/*'],
    ['/healthz', 200, '/healthz'],
  ];
  for (const [address, status] of pages) expect((await academy.request(address)).status).toBe(status);
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method: 'GET',
    url: '/about',
    headers: { host: 'x' },
  });
  academy.recall(request)?.sent();
  expect(await value('http_requests_total{route="/about",status="200"}')).toBe(3);
  for (const [address, status, route] of pages.slice(2)) {
    expect(await value(`http_requests_total{route="${route}",status="${status}"}`), address).toBe(1);
  }
  expect(await value('http_request_duration_seconds_count')).toBe(7);
  expect(await value('page_render_seconds_count{route="/about"}')).toBe(1);
  expect(await value('page_render_seconds_count{route="/contact"}')).toBe(1);
  expect(await value('page_render_seconds_sum{route="/contact"}')).toBeGreaterThan(0.0001);
  expect(await value('page_cache_requests_total{found="miss"}')).toBe(1);
  expect(await value('page_cache_requests_total{found="hit"}')).toBe(2);
});

test('a scrape reads what the program holds at that moment', async () => {
  await academy.request('/faq');
  expect(await value('page_cache_bytes{store="plain"}')).toBe(academy.services.traffic.pages.plain.bytes());
  expect(await value('page_cache_bytes{store="plain"}')).toBeGreaterThan(10_000);
  expect(await value('snapshot_age_seconds')).toBeLessThan(10);
  expect(await value('database_connections{state="total"}')).toBeGreaterThan(0);
  expect(await value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  await academy.database.db
    .insertInto('mails')
    .values(
      (['queued', 'queued', 'failed', 'sent'] as const).map((state) => ({
        kind: 'test',
        recipient: 'ada@example.com',
        subject: 'x',
        body_text: 'x',
        body_html: 'x',
        headers: '{}',
        state,
        settled_at: state === 'queued' ? null : new Date(),
      })),
    )
    .execute();
  expect(await value('mails{state="queued"}')).toBe(2);
  expect(await value('mails{state="failed"}')).toBe(1);
});

test('a page names its route and the share of visits to measure; without metrics it names neither', async () => {
  expect(await (await academy.request('/course/cissp')).text()).toContain(
    'data-vitals="0.25" data-route="/course/:courseId"',
  );
  const quiet = await openAcademyApp({ beside: academy });
  expect(await (await quiet.request('/course/cissp')).text()).not.toContain('data-vitals');
  expect(quiet.metrics).toBeNull();
  const answer = await quiet.request('/api/vitals', {
    method: 'POST',
    body: visit('/faq', lcp),
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(answer.status).toBe(204);
  await quiet.close();
});

test('web vitals of a visit become histograms by route', async () => {
  const shift = { name: 'CLS', value: 0.07, rating: 'good' };
  const answer = await report(visit('/courses', lcp, shift), { Origin: 'http://localhost:3000' });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('Set-Cookie')).toBeNull();
  expect(await value('web_vital_seconds_sum{route="/courses",name="LCP"}')).toBeCloseTo(0.8124);
  expect(await value('web_vital_seconds_bucket{le="0.8",route="/courses",name="LCP"}')).toBe(0);
  expect(await value('web_vital_seconds_bucket{le="1",route="/courses",name="LCP"}')).toBe(1);
  expect(await value('web_vital_layout_shift_bucket{le="0.1",route="/courses"}')).toBe(1);
  expect(await value('web_vital_ratings_total{name="LCP",rating="good"}')).toBe(1);
});

test.each([
  ['no JSON', 'LCP=1', 400],
  ['no vitals', visit('/courses'), 400],
  ['an unknown metric', visit('/courses', { ...lcp, name: 'FID' }), 400],
  ['an unknown rating', visit('/courses', { ...lcp, rating: 'superb' }), 400],
  ['a negative value', visit('/courses', { ...lcp, value: -1 }), 400],
  ['a text as value', visit('/courses', { ...lcp, value: '1' }), 400],
  ['an address as well', visit('/courses', { ...lcp, url: '/courses?search=ada' }), 400],
  ['more than it may hold', visit('/courses', lcp) + ' '.repeat(1024), 400],
  ['a route that is none of ours', visit('/made-up', lcp), 204],
])('a report with %s changes nothing', async (_what, body, status) => {
  const before = (await text()).split('\n').filter((line) => line.startsWith('web_vital'));
  expect((await report(body)).status).toBe(status);
  expect((await text()).split('\n').filter((line) => line.startsWith('web_vital'))).toEqual(before);
});

test('reports from other sites and without an origin are refused, and there is nothing to read', async () => {
  expect((await report(visit('/courses', lcp), { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await report(visit('/courses', lcp), {})).status).toBe(403);
  expect((await academy.request('/api/vitals')).status).toBe(404);
});

test('/metrics is served on a port of its own, and nowhere else', async () => {
  const { metrics } = academy;
  if (!metrics) throw new Error('the settings ask for metrics');
  const server = await serveMetrics({ port: 0, host: '127.0.0.1' }, metrics);
  const { address, port } = server.address() as AddressInfo;
  expect(address).toBe('127.0.0.1');
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toContain('# TYPE http_requests_total counter');
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  expect((await academy.request('/metrics')).status).toBe(404);
  await expect(serveMetrics({ port, host: '127.0.0.1' }, metrics)).rejects.toThrow('EADDRINUSE');
  server.close().closeAllConnections();
});

test('while the database is away a scrape still answers, and the snapshot grows old', async () => {
  const app = await openAcademyApp({ env: { METRICS_PORT: '9' } });
  await app.services.database.db.destroy();
  await until(() => app.services.snapshot.ageMs() > 1500);
  const scraped = (await app.metrics?.text()) ?? '';
  expect(Number(/^snapshot_age_seconds (.*)$/m.exec(scraped)?.[1])).toBeGreaterThan(1.5);
  expect(scraped).not.toContain('mails{');
  await app.close();
});

test('P94: each alert rule in deploy/alerts.yaml asks for figures that there are', async () => {
  const { groups } = parse(readFileSync(path.join(projectRoot, 'deploy/alerts.yaml'), 'utf8'));
  const rules: { alert: string; expr: string; annotations: object }[] = groups[0].rules;
  const lines = (await text()).split('\n');
  const ours = new Set(lines.flatMap((line) => (line.startsWith('# HELP ') ? line.split(' ')[2] : [])));
  const functions = new Set(['sum', 'rate', 'up']);
  for (const { alert, expr, annotations } of rules) {
    // A comma in braces would begin another one, and Prometheus would take no rule of the file.
    expect([alert, ...Object.keys(annotations)]).toEqual([alert, 'summary']);
    const names = expr.replaceAll(/\{[^}]*\}|\[\w+\]/g, '').match(/[a-z]\w+/g) ?? [];
    expect(names.length, alert).toBeGreaterThan(0);
    expect([alert, names.filter((name) => !ours.has(name) && !functions.has(name))]).toEqual([alert, []]);
  }
  expect(rules.length).toBeGreaterThan(5);
});
