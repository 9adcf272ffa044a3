import { afterEach, beforeEach, expect, test } from 'vitest';
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
  expect(await refused?.text()).toContain('try again in a few seconds');
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

test('under overload pages are refused with an explanation; health, readiness and files are not', async () => {
  academy.services.traffic.isBehind = () => true;
  const response = await academy.request('/courses');
  expect(response.status).toBe(503);
  expect(response.headers.get('Retry-After')).toBe('5');
  expect(await response.text()).toContain('Please try again in a few seconds');
  expect((await academy.request('/healthz')).status).toBe(200);
  expect((await academy.request('/readyz')).status).toBe(200);
  expect((await academy.request('/assets/none.js')).status).toBe(404);
  academy.services.traffic.isBehind = () => false;
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
  const response = await academy.request(`/courses?search=${'x'.repeat(4100)}`);
  expect(response.status).toBe(414);
  expect(await response.text()).toContain('at most a few hundred letters');
});
