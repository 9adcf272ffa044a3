import { afterEach, beforeEach, expect, test } from 'vitest';
import { networksOf } from '#app/http/client-address.server.ts';
import { openTraffic } from '#app/http/traffic.server.ts';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

let academy: AcademyApp;
beforeEach(async () => {
  academy = await openAcademyApp({ env: { TRUSTED_PROXIES: '10.0.0.0/8' } });
});
afterEach(() => academy.close());

const statusesOf = (responses: Response[]) => responses.map(({ status }) => status);

test('requests of one address beyond its share are refused; others are served, and so is this one later', async () => {
  const flood = Array.from({ length: 40 }, () => academy.request('/contact', { from: '203.0.113.1' }));
  const other = academy.request('/contact', { from: '203.0.113.2' });
  const order: string[] = [];
  void other.then(() => order.push('other'));
  const answers = await Promise.all(flood.map((answer) => answer.finally(() => order.push('flood'))));
  expect(statusesOf(answers)).toEqual([...Array(32).fill(200), ...Array(8).fill(429)]);
  const [refused] = answers.slice(-1);
  expect(refused?.headers.get('Retry-After')).toBe('2');
  expect(await refused?.text()).toMatch(/This page tries again automatically in about [23] seconds/);
  expect((await other).status).toBe(200);
  // Eight refusals come at once; of the 32 pages only a few may come before the other visitor's.
  expect(order.indexOf('other')).toBeLessThan(8 + 6);
  expect((await academy.request('/contact', { from: '203.0.113.1' })).status).toBe(200);
});

test.each([
  ['one IPv6 network', (at: number) => ({ from: `2001:db8:1:2::${at + 1}` })],
  [
    'one address in many spellings behind a proxy',
    (at: number) => ({
      from: '::ffff:10.1.2.3',
      headers: { 'X-Forwarded-For': `9.9.9.${at}, ${at % 2 ? `198.51.100.7:${1000 + at}` : '::FFFF:c633:6407'}` },
    }),
  ],
])('%s has one share', async (_what, init) => {
  const answers = await Promise.all(Array.from({ length: 34 }, (_, at) => academy.request('/robots.txt', init(at))));
  expect(statusesOf(answers).filter((status) => status === 429)).toHaveLength(2);
});

test.each([
  ['/64 of one /56', 32, (at: number) => `2001:db8:1:${(at + 1).toString(16)}::1`],
  ['/56 of one /48', 64, (at: number) => `2001:db8:1:${(at + 1).toString(16)}00::1`],
])('a hundred %s have the share of one network: forty other visitors are all served', async (_what, served, from) => {
  const traffic = openTraffic(250);
  const { services } = academy;
  Object.assign(services.traffic, { arrivals: traffic.arrivals, turns: traffic.turns, isBehind: traffic.isBehind });
  // The loop's own delay depends on this machine.
  traffic.stop();
  const crowd = Array.from({ length: 100 }, (_, at) => academy.request('/enrol?course=cissp', { from: from(at) }));
  const others = Array.from({ length: 40 }, (_, at) => academy.request('/contact', { from: `198.51.100.${at}` }));
  expect(statusesOf(await Promise.all(others))).toEqual(Array(40).fill(200));
  const statuses = statusesOf(await Promise.all(crowd));
  expect(statuses.filter((status) => status === 200)).toHaveLength(served);
  expect(statuses.filter((status) => status === 429)).toHaveLength(100 - served);
});

test('under load networks that keep sending are refused, and a newcomer is not', () => {
  const traffic = openTraffic(250);
  traffic.stop();
  for (let at = 0; at < 70; at++)
    void traffic.turns.take(networksOf(`198.51.100.${at}`), () => new Promise(() => undefined));
  const ask = (address: string, sitesInFlight = 0) => traffic.isBehind(networksOf(address), sitesInFlight);
  // 70 turns of 16 ms are 1.12 times the ordinary load: patience ends after 8 times 2.88 requests, that is 24.
  expect(Array.from({ length: 30 }, () => ask('203.0.113.1'))).toEqual([
    ...Array(24).fill(false),
    ...Array(6).fill(true),
  ]);
  expect(ask('203.0.113.2')).toBe(false);
  // A turn is thought to take 16 ms: 251 that are under way will make everybody wait for more than four seconds.
  expect([ask('203.0.113.3', 250), ask('203.0.113.4', 251)]).toEqual([false, true]);
});

test('under overload pages are refused with an explanation; health, readiness and files are not', async () => {
  academy.services.traffic.isBehind = () => true;
  const response = await academy.request('/courses');
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('5');
  expect(await response.text()).toMatch(/This page tries again automatically in about [5-8] seconds/);
  expect((await academy.request('/healthz')).status).toBe(200);
  expect((await academy.request('/readyz')).status).toBe(200);
  expect((await academy.request('/assets/none.js')).status).toBe(404);
  academy.services.traffic.isBehind = () => false;
  expect((await academy.request('/courses')).status).toBe(200);
});

test('a program that was told to stop refuses nobody for load: no other request comes', async () => {
  const { services } = academy;
  Object.assign(services.traffic, { isBehind: () => true });
  expect((await academy.request('/courses')).status).toBe(503);
  services.stopping = true;
  expect((await academy.request('/courses')).status).toBe(200);
});

test('simultaneous requests make a certificate sample once', async () => {
  const address = '/course/cissp/certificate-sample.pdf';
  const { documents } = academy.services;
  const draw = documents.draw;
  let drawn = 0;
  documents.draw = (document, asker) => {
    drawn += 1;
    return draw(document, asker);
  };
  const answers = await Promise.all([academy.request(address), academy.request(address)]);
  const again = await academy.request(address);
  const files = await Promise.all([...answers, again].map((answer) => answer.arrayBuffer()));
  expect(new Set(files.map((file) => Buffer.from(file).toString('base64'))).size).toBe(1);
  expect(drawn).toBe(1);
});

test('an address that is too long is refused with an explanation', async () => {
  expect((await academy.request(`/courses?search=${'x'.repeat(2000)}`)).status).toBe(200);
  const response = await academy.request(`/courses?search=${'x'.repeat(7700)}`);
  expect(response.status).toBe(414);
  expect(await response.text()).toContain('at most a few hundred letters');
});
