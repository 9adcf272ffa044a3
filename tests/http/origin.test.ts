import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AcademyApp, openAcademyApp } from '#tests/support/academy-app.ts';

const academies = new Map<string, AcademyApp>();
beforeAll(async () => {
  for (const baseUrl of ['http://localhost:3000', 'https://academy.example']) {
    academies.set(baseUrl, await openAcademyApp({ env: { BASE_URL: baseUrl } }));
  }
});
afterAll(async () => {
  for (const academy of academies.values()) await academy.close();
});

test.each<[string, string, Record<string, string>, boolean]>([
  ['http://localhost:3000', 'the same origin', { 'Sec-Fetch-Site': 'same-origin' }, true],
  ['http://localhost:3000', 'another site', { 'Sec-Fetch-Site': 'cross-site' }, false],
  ['http://localhost:3000', 'another subdomain', { 'Sec-Fetch-Site': 'same-site' }, false],
  ['http://localhost:3000', 'a client that sends neither header', {}, false],
  ['http://localhost:3000', 'no origin', { Origin: 'null' }, false],
  ['http://localhost:3000', 'its own host', { Origin: 'http://localhost:3000' }, true],
  ['http://localhost:3000', 'its own host through a proxy that ends HTTPS', { Origin: 'https://localhost:3000' }, true],
  ['http://localhost:3000', 'another host', { Origin: 'http://evil.example' }, false],
  ['https://academy.example', 'the public origin', { Origin: 'https://academy.example' }, true],
  ['https://academy.example', 'the public origin without HTTPS', { Origin: 'http://academy.example' }, false],
  ['https://academy.example', 'its own host without HTTPS', { Origin: 'http://localhost:3000' }, false],
])('BASE_URL %s, a form from %s', async (baseUrl, _from, headers, taken) => {
  const response = await academies
    .get(baseUrl)
    ?.request('/contact', { method: 'POST', headers: { Host: 'localhost:3000', ...headers } });
  expect((await response?.text())?.includes('This form came from another site')).toBe(!taken);
});
